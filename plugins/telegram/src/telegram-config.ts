import { z } from "zod";

/** The settings of one Telegram account. */
export interface TelegramConfig {
  /** From @BotFather. */
  readonly token: string;
  /** Where the Bot API is, without a slash at the end. */
  readonly apiBaseUrl: string;
  /** How updates come: the account asks Telegram, or Telegram posts them to the gateway. */
  readonly updates: "polling" | "webhook";
  /**
   * With `updates: "webhook"`: where the gateway is reached from outside, without a slash at the end. Telegram posts to
   * `/telegram/<account>/webhook` below it.
   */
  readonly webhookUrl?: string;
  /** By which Telegram's posts are known. Left out: one that is derived from the token. */
  readonly webhookSecret?: string;
  /**
   * What to do where a webhook of another program is set for the token: `delete` or replace it, keeping what waits
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

/** "setWebhook", core.telegram.org/bots/api; local servers of one's own take any. */
const WEBHOOK_PORTS: ReadonlySet<string> = new Set(["", "80", "88", "443", "8443"]);
const WEBHOOK_EXAMPLE = "it looks like https://grove.example.org";

const PLATFORM_URL = "https://api.telegram.org";

const token = z
  .string()
  .trim()
  .regex(/^\d{1,20}:[\w-]{1,100}$/, "a bot token looks like 123456:ABC-DEF; take it from @BotFather");

const apiBaseUrl = z
  .url({ protocol: /^https?$/, error: "the address of a Bot API server looks like https://api.telegram.org" })
  .transform((url) => url.replace(/\/{1,8}$/, ""));

const webhookUrl = z
  .url({ protocol: /^https?$/, error: `the public address of this gateway is no address; ${WEBHOOK_EXAMPLE}` })
  .refine((url) => !/[?#@]/.test(url), `the public address of this gateway is an address alone; ${WEBHOOK_EXAMPLE}`)
  .transform((url) => url.replace(/\/{1,8}$/, ""));

const webhookSecret = z
  .string()
  .regex(
    /^[\w-]{1,256}$/,
    "a webhook's secret has 1 to 256 of the characters A-Z, a-z, 0-9, _ and -; omit it to have one generated",
  );

const settings = z.strictObject({
  token: token.describe("Token of the bot, from @BotFather."),
  apiBaseUrl: apiBaseUrl.default(PLATFORM_URL).describe(`Address of the Bot API server. Default: \`${PLATFORM_URL}\`.`),
  updates: z
    .enum(["polling", "webhook"])
    .default("polling")
    .describe("`polling`: the gateway asks Telegram for messages. `webhook`: Telegram posts them to the gateway."),
  webhookUrl: webhookUrl
    .exactOptional()
    .describe(
      'Public address of the gateway, with `updates: "webhook"`. Telegram posts to `/telegram/<account>/webhook` below it.',
    ),
  webhookSecret: webhookSecret
    .exactOptional()
    .describe(
      "Secret that proves that a post is from Telegram: 1 to 256 of `A-Z a-z 0-9 _ -`. Default: derived from the token.",
    ),
  webhook: z
    .enum(["delete", "refuse"])
    .default("delete")
    .describe(
      "What to do with a webhook that another program has set. `delete`: delete or replace it, and keep the waiting messages. `refuse`: leave it, and wait until it is gone.",
    ),
  pace: z
    .enum(["auto", "off"])
    .default("auto")
    .describe(
      "`auto`: messages wait to keep Telegram's rate limits, on Telegram's own server only. `off`: they wait only after a refusal.",
    ),
  growingAnswers: z
    .enum(["auto", "edits", "off"])
    .default("auto")
    .describe(
      "Whether an answer is visible while it is written. `auto`: in private chats. `edits`: in every chat, by editing a message. `off`: nowhere.",
    ),
});

export const telegramConfig: z.ZodType<TelegramConfig> = settings.superRefine((config, context) => {
  const message = findWebhookProblem(config);
  if (message !== undefined) context.addIssue({ code: "custom", path: ["webhookUrl"], message });
});

/** What Telegram would refuse is said at load. */
function findWebhookProblem({ updates, webhookUrl: url, apiBaseUrl: server }: TelegramConfig): string | undefined {
  if (updates !== "webhook") return undefined;
  if (url === undefined) return `updates: "webhook" needs the public address of this gateway; ${WEBHOOK_EXAMPLE}`;
  // What is no address was said already.
  const { protocol, port } = URL.parse(url) ?? {};
  if (protocol === undefined || port === undefined) return undefined;
  if (URL.parse(server)?.hostname !== new URL(PLATFORM_URL).hostname) return undefined;
  if (protocol !== "https:") return "Telegram posts to https alone; put a reverse proxy with TLS before this gateway";
  return WEBHOOK_PORTS.has(port) ? undefined : "Telegram posts to the ports 443, 80, 88 and 8443 alone";
}

/** Whether the account sends at Telegram's own pace. A server of one's own, or a test's, has limits of its own. */
export function isPaced({ pace, apiBaseUrl: url }: Pick<TelegramConfig, "pace" | "apiBaseUrl">): boolean {
  return pace === "auto" && new URL(url).hostname === new URL(PLATFORM_URL).hostname;
}
