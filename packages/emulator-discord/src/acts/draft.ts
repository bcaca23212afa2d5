import type { Post } from "./post-message.ts";

/** What of a message its writer decides. */
export type Draft = Pick<
  Post,
  "content" | "embeds" | "components" | "attachments" | "allowedMentions" | "flags" | "isTts"
>;
