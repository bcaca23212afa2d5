/** Telegram refuses every edit of a text, as where the bot has lost its rights. */
export const EVERY_EDIT_REFUSED = {
  kind: "refuse",
  method: "editMessageText",
  code: 400,
  description: "Bad Request: CHAT_ADMIN_REQUIRED",
  times: "always",
} as const;
