import type { ChannelConnection, ChannelContext } from "@banyan/plugin-sdk";
import { createAccountHealth, createPlatformTime } from "@banyan/plugin-sdk/kit";
import type { Update, UserFromGetMe } from "grammy/types";
import { createBotClient } from "./bot-client.ts";
import { publishCommandMenu } from "./command-menu.ts";
import { createFaultReport } from "./fault-report.ts";
import { createDraftStore } from "./growth/draft-store.ts";
import { Growth } from "./growth/growth.ts";
import { createCursorKeeper } from "./polling/cursor-keeper.ts";
import { createPollTrouble } from "./polling/poll-trouble.ts";
import { createUpdateIntake } from "./polling/update-intake.ts";
import { pollUpdates } from "./polling/update-poller.ts";
import { PRIVACY_CURE } from "./privacy-mode.ts";
import { createFloodMemory } from "./sending/flood-memory.ts";
import { createEdits } from "./sending/message-edit.ts";
import { createMessageSender, type MessageSenderOptions } from "./sending/message-sender.ts";
import { createSendPace } from "./sending/send-pace.ts";
import { createTypingIndicator } from "./sending/typing-indicator.ts";
import { isPaced, type TelegramConfig } from "./telegram-config.ts";
import { type TranslatedUpdate, translateUpdate } from "./updates/update-translation.ts";

/** Checks the token, then polls until the account stops. `random`, from 0 to below 1, spreads retries. */
export async function connectTelegram(
  context: ChannelContext<TelegramConfig>,
  random: () => number,
): Promise<ChannelConnection> {
  const { account, clock, commands, config, log } = context;
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
  const store = createDraftStore({ cursor: context.cursor, receive });
  const common = { account, bot, commands, health, receive: store.receive, reportFault, clock, log, random, signal };
  const keeper = createCursorKeeper({ ...common, cursor: store.cursor });
  const intake = createUpdateIntake({
    ...common,
    keeper,
    migrateChat: (move) => context.migrateChat(move),
    translate: createTranslation(context, bot.botInfo),
  });
  const trouble = createPollTrouble({ ...common, webhook: config.webhook });
  const polling = pollUpdates({ ...common, keeper, intake, trouble }).catch((error: unknown) =>
    health.fail(reportFault("Polling Telegram", error)),
  );
  // The poll is under way by now: the menu keeps nobody waiting.
  const publishing = publishCommandMenu(common);

  const pace = isPaced(config) ? createSendPace(clock) : undefined;
  const sending = { ...common, config, store, pace, floods: createFloodMemory(clock) };
  const growth = new Growth(sending);
  growth.sweep();
  const settleDraft: MessageSenderOptions["settleDraft"] = (...draft) => growth.settle(...draft);
  return {
    send: createMessageSender({ ...sending, settleDraft }),
    edits: createEdits(sending),
    progress: growth.progress,
    typing: createTypingIndicator(common),
    ...(pace && { pace }),
    async close() {
      stopping.abort();
      await Promise.all([polling, publishing]);
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
