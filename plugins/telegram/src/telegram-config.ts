import { z } from "zod";

/** The settings of one Telegram account. */
export interface TelegramConfig {
  readonly token: string;
  /** Where the Bot API is, without a slash at the end. */
  readonly apiBaseUrl: string;
}

const token = z
  .string()
  .trim()
  .regex(/^\d{1,20}:[\w-]{1,100}$/, "a bot token looks like 123456:ABC-DEF; take it from @BotFather");

const apiBaseUrl = z
  .url({ protocol: /^https?$/, error: "the address of a Bot API server looks like https://api.telegram.org" })
  .transform((url) => url.replace(/\/{1,8}$/, ""));

export const telegramConfig: z.ZodType<TelegramConfig> = z.strictObject({
  token,
  apiBaseUrl: apiBaseUrl.default("https://api.telegram.org"),
});
