import { z } from "zod";

/** The settings of one Telegram account. */
export interface TelegramConfig {
  /** From @BotFather. */
  readonly token: string;
  /** Where the Bot API is, without a slash at the end. */
  readonly apiBaseUrl: string;
  /**
   * What to do where a webhook is set for the token, which makes polling impossible: `delete` it, keeping what waits
   * there, or `refuse` to touch it and wait until somebody else does.
   */
  readonly webhook: "delete" | "refuse";
  /** `auto` keeps Telegram's own pace of sending by waiting, on its own servers only; `off` waits when it is refused. */
  readonly pace: "auto" | "off";
  /**
   * Whether an answer is shown while it is being made: `auto` in private chats, by Telegram's drafts where the server knows
   * them; `edits` everywhere, by a message that is edited, which costs a group some of its 20 messages a minute; `off`.
   */
  readonly growingAnswers: "auto" | "edits" | "off";
}

const PLATFORM_URL = "https://api.telegram.org";

const token = z
  .string()
  .trim()
  .regex(/^\d{1,20}:[\w-]{1,100}$/, "a bot token looks like 123456:ABC-DEF; take it from @BotFather");

const apiBaseUrl = z
  .url({ protocol: /^https?$/, error: "the address of a Bot API server looks like https://api.telegram.org" })
  .transform((url) => url.replace(/\/{1,8}$/, ""));

export const telegramConfig: z.ZodType<TelegramConfig> = z.strictObject({
  token,
  apiBaseUrl: apiBaseUrl.default(PLATFORM_URL),
  webhook: z.enum(["delete", "refuse"]).default("delete"),
  pace: z.enum(["auto", "off"]).default("auto"),
  growingAnswers: z.enum(["auto", "edits", "off"]).default("auto"),
});

/** Whether the account sends at Telegram's own pace. A server of one's own, or a test's, has limits of its own. */
export function isPaced({ pace, apiBaseUrl: url }: Pick<TelegramConfig, "pace" | "apiBaseUrl">): boolean {
  return pace === "auto" && new URL(url).hostname === new URL(PLATFORM_URL).hostname;
}
