import { z } from "zod";
import type { CheckedInput } from "./checked-input.ts";
import { type ChannelInput, DM_POLICIES, GROUP_POLICIES } from "./define-config.ts";
import { DELIVERY_SETTINGS } from "./delivery-setting.ts";
import { accountThreadsSchema } from "./threads-schema.ts";

/** A year: who means longer means 0. */
const LONGEST_CATCH_UP_HOURS = 8_784;

/** A platform's id. JSON files may hold it as a number. */
const id = z.union([z.string().trim().min(1), z.number()]);

/** Loose: what the core does not know is the plugin's, which judges it when it is loaded. */
const account = z.looseObject({
  enabled: z.boolean().optional().describe("`false` turns the account off."),
  dmPolicy: z
    .enum(DM_POLICIES)
    .optional()
    .describe(
      "Who may write to the bot in a direct chat. `pairing`: strangers get a code, and you approve them. `allowlist`: only `allowFrom`. `open`: everyone. `disabled`: no one.",
    ),
  allowFrom: z
    .array(id)
    .optional()
    .describe("Platform ids of people who may write. Another bot is let in only if it is listed here."),
  groups: z
    .strictObject({
      policy: z
        .enum(GROUP_POLICIES)
        .optional()
        .describe(
          "Where the bot takes part. `allowlist`: the chats in `groups.allow`, and every chat of the servers in `groups.guilds`. `open`: everywhere. `disabled`: nowhere.",
        ),
      allow: z.array(id).optional().describe("Platform ids of groups and channels."),
      guilds: z.array(id).optional().describe("Platform ids of servers."),
      requireMention: z
        .boolean()
        .optional()
        .describe(
          "Only messages that mention the bot or reply to it, and commands for it, reach the agent. The thread of a sub-agent needs no mention.",
        ),
    })
    .optional()
    .describe("Groups and channels that the bot is in."),
  threads: accountThreadsSchema
    .optional()
    .describe("The keys of `threads` for this account. Default: the values of `threads`."),
  catchUpHours: z
    .number()
    .min(0)
    .max(LONGEST_CATCH_UP_HOURS)
    .optional()
    .describe("Messages that are older on arrival are left out, and their sender is notified. 0 takes all."),
  delivery: z
    .enum(DELIVERY_SETTINGS)
    .optional()
    .describe(
      'What happens to a message whose sending was cut off. A channel that detects repeats refuses this key. `anchor`: a result is edited into an existing message; other messages are repeated, marked "(may be repeated)". `at-least-once`: all are repeated, marked. `at-most-once`: none is repeated. Default: `anchor` if the channel can edit messages.',
    ),
});

/** The keys of an account that are the core's. */
export const ACCOUNT_KEYS: readonly string[] = Object.keys(account.shape);

export const channelSchema: z.ZodType<CheckedInput["channels"][string], ChannelInput> = z.strictObject({
  accounts: z
    .record(z.string(), account)
    .default({})
    .describe("The accounts of a channel by name. An account is one bot."),
});
