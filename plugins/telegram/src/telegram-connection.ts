import type { ChannelConnection, ChannelContext } from "@banyan/plugin-sdk";
import { createAccountHealth, createPlatformTime } from "@banyan/plugin-sdk/kit";
import type { Update, UserFromGetMe } from "grammy/types";
import { createBotClient } from "./bot-client.ts";
import { publishCommandMenu } from "./command-menu.ts";
import { createFaultReport } from "./fault-report.ts";
import { listenByPolling } from "./polling/listen-by-polling.ts";
import { PRIVACY_CURE } from "./privacy-mode.ts";
import { createMessageSender } from "./sending/message-sender.ts";
import { createSendPace } from "./sending/send-pace.ts";
import { createTypingIndicator } from "./sending/typing-indicator.ts";
import { isPaced, type TelegramConfig } from "./telegram-config.ts";
import { type TranslatedUpdate, translateUpdate } from "./updates/update-translation.ts";
import { listenByWebhook } from "./webhook/listen-by-webhook.ts";

/** Checks the token, then listens until the account stops. `random`, from 0 to below 1, spreads retries. */
export async function connectTelegram(
  context: ChannelContext<TelegramConfig>,
  random: () => number,
): Promise<ChannelConnection> {
  const { account, clock, commands, config, cursor, log } = context;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const platformTime = createPlatformTime(context.fetch, clock);
  const bot = createBotClient({ ...config, fetch: platformTime.fetch, signal });
  const reportFault = createFaultReport(account, config.token);

  bot.botInfo = await bot.api.getMe().catch((error: unknown) => {
    throw reportFault("Connecting to Telegram", error);
  });
  introduce(context, bot.botInfo);

  const health = createAccountHealth((state, error) => context.report(state, error), log);
  const receive: typeof context.receive = (messages, options) => {
    const platformNow = platformTime.now();
    return context.receive(messages, { ...options, ...(platformNow !== undefined && { platformNow }) });
  };
  const common = { account, bot, commands, health, receive, reportFault, clock, log, random, signal };
  const translate = createTranslation(context, bot.botInfo);
  const migrateChat: typeof context.migrateChat = (move) => context.migrateChat(move);
  const listen = config.updates === "webhook" ? listenByWebhook : listenByPolling;
  const { http } = context;
  const listening = listen({ ...common, config, cursor, http, platformTime, translate, migrateChat }).catch(
    (error: unknown) => health.fail(reportFault("Receiving from Telegram", error)),
  );
  // Listening is under way by now: the menu keeps nobody waiting.
  const publishing = publishCommandMenu(common);

  return {
    send: createMessageSender(common),
    typing: createTypingIndicator(common),
    ...(isPaced(config) && { pace: createSendPace(clock) }),
    async close() {
      stopping.abort();
      await Promise.all([listening, publishing]);
    },
  };
}

/** What the bot is, and what it hears in groups: a warning where people expect more of it. */
function introduce({ log, needsAllMessages }: ChannelContext<TelegramConfig>, me: UserFromGetMe): void {
  const fields = { botId: me.id, botUsername: me.username };
  const known = `Telegram knows the bot as @${me.username}`;
  if (me.can_read_all_group_messages) {
    log.info(fields, `${known}; privacy mode is off: in groups it hears everything`);
    return;
  }
  const heard = `${known}; privacy mode is on: in groups it hears commands, mentions and answers to it only`;
  if (!needsAllMessages || !me.can_join_groups) log.info(fields, heard);
  else log.warn(fields, `${heard}, but groups.requireMention is false; ${PRIVACY_CURE}`);
}

/** One update that cannot be translated must not stop all others, nor come again for ever: it is logged and left out. */
function createTranslation(
  { account, log }: ChannelContext<TelegramConfig>,
  { id, username }: UserFromGetMe,
): (update: Update) => TranslatedUpdate {
  const me = { account, id, username };
  return (update) => {
    try {
      return translateUpdate(update, me);
    } catch (err) {
      log.error({ err, updateId: update.update_id }, "Telegram update could not be translated and is left out");
      return { kind: "ignored", why: "unknown_kind" };
    }
  };
}
