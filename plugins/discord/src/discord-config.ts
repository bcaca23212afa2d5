import { z } from "zod";

/** The settings of one Discord account: one bot. */
export interface DiscordConfig {
  /** Of the bot, from the Developer Portal. */
  readonly token: string;
  /** As discord.js' `rest.api`: without a version, and without a slash at the end. */
  readonly apiBaseUrl: string;
  /** What a sub-agent's thread is: for all who see the channel, or for those alone who are added to it. */
  readonly threadType: "public" | "private";
  /** After how many quiet minutes Discord archives a thread by itself; Discord knows four values, the next longer one is taken. */
  readonly threadArchiveMinutes: number;
  /** `card`: a sub-agent's end is a small card with its result; `text`: plain words, as on other channels. */
  readonly completions: "card" | "text";
  /** How Discord brings slash commands and buttons: over the gateway, or to the server's own address. */
  readonly interactions: "gateway" | "http";
}

const PLATFORM_URL = "https://discord.com/api";
const PLATFORM_HOST = /(?:^|\.)discord(?:app)?\.com$/;
/** The form of Discord's own tokens. Compatible servers have others, such as JWTs. */
const PLATFORM_TOKEN = /^[\w-]{1,100}\.[\w-]{1,40}\.[\w-]{1,120}$/;
const TOKEN_ADVICE = "a bot token looks like MTA3….Gh1x2y.abc…; take it from the Developer Portal, Bot → Reset Token";
/** Discord documentation, "Channel Resource": the values of `auto_archive_duration`, in minutes. */
export const ARCHIVE_MINUTES = [60, 1_440, 4_320, 10_080] as const;

const token = z
  .string()
  .trim()
  // The token goes into a header.
  .regex(/^[\x21-\x7e]{1,4096}$/, `one word without spaces is needed; ${TOKEN_ADVICE}`);

const apiBaseUrl = z
  .url({ protocol: /^https?$/, error: "the address of Discord's API looks like https://discord.com/api" })
  .transform((url) => url.replace(/\/{1,8}$/, ""))
  .refine((url) => !/\/v\d+$/.test(url), "the version is added by the program; end the address with /api");

export const discordConfig: z.ZodType<DiscordConfig> = z
  .strictObject({
    token: token.describe("Token of the bot, from the Developer Portal."),
    apiBaseUrl: apiBaseUrl
      .default(PLATFORM_URL)
      .describe(`Address of the API, or of a compatible server, without the version. Default: \`${PLATFORM_URL}\`.`),
    threadType: z
      .enum(["public", "private"])
      .default("public")
      .describe("Threads of sub-agents. `private`: visible to the person who asked, and to people who are added."),
    threadArchiveMinutes: z
      .number()
      .positive()
      .max(10_080)
      .default(10_080)
      .describe(
        "Discord archives a thread after this many minutes without messages: 60, 1,440, 4,320 or 10,080. Other values count as the next longer one.",
      ),
    completions: z
      .enum(["card", "text"])
      .default("card")
      .describe("How a sub-agent's result looks: an embed with its state and time, or plain text."),
    interactions: z
      .enum(["gateway", "http"])
      .default("gateway")
      .describe(
        "How slash commands and buttons arrive. `http`: Discord posts them to `/discord/<account>/interactions` of this gateway.",
      ),
  })
  .refine((config) => !isPlatform(config) || PLATFORM_TOKEN.test(config.token), {
    path: ["token"],
    error: TOKEN_ADVICE,
  });

/** Whether the account speaks to Discord itself, whose published pace is then kept. */
export function isPlatform({ apiBaseUrl: url }: Pick<DiscordConfig, "apiBaseUrl">): boolean {
  return PLATFORM_HOST.test(new URL(url).hostname);
}

/**
 * Formats a URL for people: Discord and compatible servers serve their pages next to the API. `path` begins with a
 * slash.
 */
export function formatPageUrl({ apiBaseUrl: url }: Pick<DiscordConfig, "apiBaseUrl">, path: string): string {
  return url.replace(/\/api$/, "") + path;
}

/** The value that Discord takes: the same or the next longer one. */
export function resolveArchiveMinutes(minutes: number): (typeof ARCHIVE_MINUTES)[number] {
  return ARCHIVE_MINUTES.find((known) => known >= minutes) ?? 10_080;
}
