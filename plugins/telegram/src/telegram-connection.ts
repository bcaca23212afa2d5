import type { ChannelConnection, ChannelContext, InboundMessage } from "@banyan/plugin-sdk";
import type { Update, UserFromGetMe } from "grammy/types";
import { createAccountHealth } from "./account-health.ts";
import { createBotClient } from "./bot-client.ts";
import { createFaultReport } from "./fault-report.ts";
import { createMessageSender } from "./message-sender.ts";
import { createPollTrouble } from "./poll-trouble.ts";
import type { TelegramConfig } from "./telegram-config.ts";
import { createTypingIndicator } from "./typing-indicator.ts";
import { pollUpdates } from "./update-poller.ts";
import { translateUpdate } from "./update-translation.ts";

/** Checks the token, then polls until the account stops. `random`, from 0 to below 1, spreads retries. */
export async function connectTelegram(
  context: ChannelContext<TelegramConfig>,
  random: () => number,
): Promise<ChannelConnection> {
  const { account, clock, log } = context;
  const { token, apiBaseUrl } = context.config;
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const bot = createBotClient({ token, apiBaseUrl, fetch: context.fetch, signal });
  const reportFault = createFaultReport(account, token);

  bot.botInfo = await bot.api.getMe().catch((error: unknown) => {
    throw reportFault("Connecting to Telegram", error);
  });
  log.info({ botId: bot.botInfo.id, botUsername: bot.botInfo.username }, "Telegram knows the bot");

  const health = createAccountHealth((state, error) => context.report(state, error));
  const common = { bot, health, reportFault, clock, log, random, signal };
  const polling = pollUpdates({
    ...common,
    cursor: context.cursor,
    translate: createTranslation(context, bot.botInfo),
    receive: (messages, options) => context.receive(messages, options),
    trouble: createPollTrouble(common),
  }).catch((error: unknown) => health.fail(reportFault("Polling Telegram", error)));

  return {
    send: createMessageSender(common),
    typing: createTypingIndicator(common),
    async close() {
      stopping.abort();
      await polling;
    },
  };
}

/** One update that cannot be translated must not stop all others, nor come again for ever: it is logged and left out. */
function createTranslation(
  { account, log }: ChannelContext<TelegramConfig>,
  me: UserFromGetMe,
): (update: Update) => InboundMessage | undefined {
  const target = { account, botUsername: me.username };
  return (update) => {
    try {
      const translated = translateUpdate(update, target);
      if (typeof translated !== "string") return translated;
      log.debug({ updateId: update.update_id, why: translated }, "Telegram update ignored");
    } catch (err) {
      log.error({ err, updateId: update.update_id }, "Telegram update could not be translated and is left out");
    }
    return undefined;
  };
}
