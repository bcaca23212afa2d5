import type { AccountFinding, AccountInspection, InspectContext } from "@banyan/plugin-sdk";
import { createPlatformTime } from "@banyan/plugin-sdk/kit";
import type { UserFromGetMe } from "grammy/types";
import { type Bot, GrammyError } from "grammy/web";
import { createBotClient } from "./bot-client.ts";
import { createFaultReport } from "./fault-report.ts";
import { inspectWebhook } from "./inspection/inspect-webhook.ts";
import { PRIVACY_CURE } from "./privacy-mode.ts";
import type { TelegramConfig } from "./telegram-config.ts";
import { classifyTelegramError } from "./telegram-fault.ts";

/** Long enough for another poller to come back after this poll has ended its own. */
const LISTEN_SECONDS = 5;
const CONFLICT = 409;
const UNREACHED = "check the network and apiBaseUrl";

/** Asks Telegram who the bot is and what stands in its way. Confirms no update, so nothing is taken from a gateway. */
export async function inspectTelegram(context: InspectContext<TelegramConfig>): Promise<AccountInspection> {
  const { config, account, clock, signal, mayListen, needsAllMessages } = context;
  const platformTime = createPlatformTime(context.fetch, clock);
  const bot = createBotClient({ ...config, fetch: platformTime.fetch, signal });
  const reportFault = createFaultReport(account, config.token);
  try {
    const me = await bot.api.getMe();
    const webhook = inspectWebhook(await bot.api.getWebhookInfo(), config, account);
    // A poll would be refused where a webhook is set, and disturbs nobody else where none is.
    const poller = mayListen && config.updates === "polling" && webhook.length === 0 ? await inspectPollers(bot) : [];
    const platformNow = platformTime.now();
    return {
      identity: `@${me.username}`,
      findings: [...inspectPrivacy(me, needsAllMessages), ...webhook, ...poller],
      ...(platformNow === undefined ? {} : { clockAheadMs: clock.now() - platformNow }),
    };
  } catch (error) {
    const fault = classifyTelegramError(error);
    // Nobody tries it again here.
    const advice = fault.class === "definite" || fault.class === "ambiguous" ? UNREACHED : fault.advice;
    throw reportFault("Asking Telegram about the bot", error, { ...fault, advice });
  }
}

function inspectPrivacy(me: UserFromGetMe, needsAllMessages: boolean): readonly AccountFinding[] {
  if (!me.can_join_groups) return [{ level: "note", text: "it may not be added to groups" }];
  if (me.can_read_all_group_messages)
    return [{ level: "note", text: "privacy mode off: in groups it sees every message" }];
  const text = "privacy mode on: in groups it sees mentions, replies and commands only";
  if (!needsAllMessages) return [{ level: "note", text }];
  return [{ level: "warning", text: `${text}, but groups.requireMention is false`, cure: PRIVACY_CURE }];
}

/** A poll ends another program's poll, which then comes back and ends this one. */
async function inspectPollers(bot: Bot): Promise<readonly AccountFinding[]> {
  try {
    await bot.api.getUpdates({ limit: 1, timeout: LISTEN_SECONDS });
    return [];
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== CONFLICT) throw error;
    const cure = "stop it: each message reaches only one of the two";
    return [{ level: "error", text: "another program polls with this token", cure }];
  }
}
