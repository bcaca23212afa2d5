import type { ChannelConnection, ChannelContext } from "@banyan/plugin-sdk";
import { createAccountHealth, createPlatformTime } from "@banyan/plugin-sdk/kit";
import type { UserFromGetMe } from "grammy/types";
import { createBotClient } from "./bot-client.ts";
import { tapAnnouncements } from "./buttons/announcement-tap.ts";
import { deriveButtonKey } from "./buttons/button-data.ts";
import { createButtonDesk } from "./buttons/button-desk.ts";
import { createKeyboards } from "./buttons/keyboards.ts";
import { publishCommandMenu } from "./command-menu.ts";
import { createFaultReport } from "./fault-report.ts";
import { createFileDownloader } from "./files/file-downloader.ts";
import { createDraftStore } from "./growth/draft-store.ts";
import { Growth } from "./growth/growth.ts";
import { listenByPolling } from "./polling/listen-by-polling.ts";
import { PRIVACY_CURE } from "./privacy-mode.ts";
import { createFloodMemory } from "./sending/flood-memory.ts";
import { createEdits } from "./sending/message-edit.ts";
import { createMessageSender, type MessageSenderOptions } from "./sending/message-sender.ts";
import { createSendPace } from "./sending/send-pace.ts";
import { createTypingIndicator } from "./sending/typing-indicator.ts";
import { isPaced, type TelegramConfig } from "./telegram-config.ts";
import { createTopicRescue } from "./threads/gone-topic.ts";
import { createIconList } from "./threads/icon-list.ts";
import { createShutTopics } from "./threads/shut-topic.ts";
import { createThreadBook } from "./threads/thread-book.ts";
import { createThreadLine } from "./threads/thread-line.ts";
import { resumeWithdrawals } from "./threads/thread-withdrawal.ts";
import { createThreads } from "./threads/threads.ts";
import { type TopicNews, takeTopicNews } from "./threads/topic-news.ts";
import type { BotIdentity } from "./updates/bot-identity.ts";
import { createUpdateReading } from "./updates/update-reading.ts";
import { listenByWebhook } from "./webhook/listen-by-webhook.ts";

/** Checks the token, then listens until the account stops. `random`, from 0 to below 1, spreads retries. */
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
  const now = (): number => platformTime.now() ?? clock.now();
  const key = deriveButtonKey(config.token);
  const desk = { bot, key, receive, now, clock, log, reportFault };
  const buttons = createButtonDesk({ ...desk, findLive: (...draft) => growth.findLive(...draft) });
  // What is stored behind the cursor: where polling stands, then the threads, then the growing answers.
  const store = createDraftStore({ cursor: context.cursor, receive: buttons.receive });
  const book = createThreadBook(store.cursor, store.receive);
  const common = { account, bot, commands, health, receive: book.receive, reportFault, clock, log, random, signal };
  const threadGone: typeof context.threadGone = (...gone) => context.threadGone(...gone);
  const shutTopics = createShutTopics(book, clock);
  const line = { inLine: createThreadLine(), icons: createIconList(common) };
  const threads = { ...common, book, ...line, fallback: context.threadFallback, threadGone, shutTopics };
  const pace = isPaced(config) ? createSendPace(clock) : undefined;
  const floods = createFloodMemory(clock);
  const sending = { ...common, config, store, pace, floods, ...createKeyboards(key, now) };
  const growth = new Growth(sending);
  const me = nameBot(account, bot.botInfo);
  const translate = createUpdateReading({ me, buttons, growth, shutTopics, now, log });
  const migrateChat: typeof context.migrateChat = (move) => context.migrateChat(move);
  const takeNews = (news: TopicNews): Promise<void> => takeTopicNews(news, threads);
  const listen = config.updates === "webhook" ? listenByWebhook : listenByPolling;
  const hearing = { ...common, config, cursor: book.cursor, http: context.http, platformTime, translate };
  const listening = listen({ ...hearing, migrateChat, takeTopicNews: takeNews }).catch((error: unknown) =>
    health.fail(reportFault("Receiving from Telegram", error)),
  );
  // Listening is under way by now: the menu keeps nobody waiting.
  const publishing = publishCommandMenu(common);

  void resumeWithdrawals(threads);
  return {
    ...speak(context, { ...sending, growth, sendToTopic: createTopicRescue(threads) }),
    threads: createThreads(threads),
    files: createFileDownloader({ ...common, config, fetch: platformTime.fetch }),
    typing: createTypingIndicator(common),
    ...(pace && { pace }),
    async close() {
      stopping.abort();
      await Promise.all([listening, publishing]);
    },
  };
}

type Speech = Omit<MessageSenderOptions, "settleDraft"> & { readonly growth: Growth };

/** What is said: messages, edits of them, and answers while they grow. */
function speak(
  { account, hooks }: ChannelContext<TelegramConfig>,
  { growth, ...sending }: Speech,
): Pick<ChannelConnection, "send" | "edits" | "progress"> {
  growth.sweep();
  const send = createMessageSender({ ...sending, settleDraft: (...draft) => growth.settle(...draft) });
  const edits = createEdits(sending);
  tapAnnouncements({ account, hooks, send, edits, abandonDraft: (turnId) => growth.abandon(turnId) });
  return { send, edits, progress: growth.progress };
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

function nameBot(account: string, { id, username, has_topics_enabled }: UserFromGetMe): BotIdentity {
  return { account, id, username, hasPrivateTopics: has_topics_enabled };
}
