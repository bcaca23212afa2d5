import {
  createTelegramEmulator,
  type TelegramEmulator,
  type TelegramMember,
  type TelegramRoom,
  type TelegramUser,
} from "@banyan/emulator-telegram";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { type PostedAccount, postAgain } from "./posted-updates.ts";
import { ANCHOR_TRACES } from "./telegram-place.ts";
import type { TreeCall, TreePlace } from "./tree-place.ts";

/** A gateway starts slowly while other tests run. */
const REACHED_WITHIN_MS = 60_000;

/** What a run's end puts before its thread's name. */
const MARK = /^(✅|❌|⏱|⏹) /;

const METHODS: Readonly<Record<TreeCall, string>> = {
  send: "sendMessage",
  edit: "editMessageText",
  open: "createForumTopic",
  archive: "closeForumTopic",
  rename: "editForumTopic",
};

/** A chat with topics on Telegram, as Ada sees it. */
interface TopicChat {
  readonly by: Pick<TelegramMember | TelegramUser, "says" | "messages">;
  readonly call: string;
  /** More of the account's configuration. */
  readonly account: object;
  topics(): ReturnType<TelegramUser["topics"]>;
}

/** A forum in which the bot manages topics. What is said there is as in `openTopicPlace`. */
export async function openForumPlace(left: readonly string[], posted?: PostedAccount): Promise<TreePlace> {
  return openTopicPlace(left, posted, async (telegram, ada) => {
    const bot = await telegram.bot();
    const spec = { kind: "supergroup", title: "Hall", isForum: true, creator: ada, bots: [bot] } as const;
    const hall: TelegramRoom = await telegram.createRoom(spec);
    await hall.promotes(bot, ada, { rights: { can_manage_topics: true } });
    const account = { groups: { allow: [String(hall.chatId)] } };
    return { by: hall.member(ada), call: "@grove_bot ", account, topics: async () => (await hall.history()).topics };
  });
}

/** A private chat with topics. */
export function openPrivateTopicPlace(left: readonly string[]): Promise<TreePlace> {
  return openTopicPlace(left, undefined, async (telegram, ada) => {
    await telegram.setBot({ abilities: { has_topics_enabled: true } });
    return { by: ada, call: "", account: {}, topics: () => ada.topics() };
  });
}

/**
 * `where` of what is said there is a topic's name as it was opened. What was told in a topic stands behind that name. `left`:
 * the topics at the end and how they stand; every other one was taken back. `posted`: where updates are posted to.
 */
async function openTopicPlace(
  left: readonly string[],
  posted: PostedAccount | undefined,
  openChat: (telegram: TelegramEmulator, ada: TelegramUser) => Promise<TopicChat>,
): Promise<TreePlace> {
  const telegram = await createTelegramEmulator({ local: posted !== undefined });
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const { by, call, account, topics } = await openChat(telegram, ada);
  const accounts = { default: { ...account, ...posted?.account } };
  const ended = new AbortController();
  let posting: Promise<void> | undefined;
  return {
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: telegram.url, TELEGRAM_ALLOW_FROM: "7" },
    config: { ...(posted && { server: posted.server }), channels: { telegram: { accounts } } },
    files: {},
    marksRepeats: true,
    traces: ANCHOR_TRACES,
    async says(text, lives, where) {
      if (posted !== undefined) posting ??= postAgain(telegram, lives, ended.signal);
      if (where === undefined) return void (await by.says(call + text));
      for (;;) {
        const topic = (await topics()).findLast(({ name, isClosed }) => name.replace(MARK, "") === where && !isClosed);
        if (topic !== undefined) return void (await by.says(text, { topicId: topic.id }));
        await lives.pace();
      }
    },
    async texts() {
      const names = new Map((await topics()).map(({ id, name }) => [id, name.replace(MARK, "")]));
      return (await by.messages()).map(({ text, extra }) => {
        const name = extra?.is_topic_message === true ? names.get(Number(extra.message_thread_id)) : undefined;
        const mark = /^\(may be repeated\)\n/.exec(text)?.[0] ?? "";
        return name === undefined ? text : `${mark}${name}: ${text.slice(mark.length)}`;
      });
    },
    async lose(kind) {
      const gate = await telegram.faults.hold({ method: METHODS[kind], at: "answer", times: 1 });
      return { taken: () => gate.reached(1, REACHED_WITHIN_MS), end: () => gate.cut() };
    },
    async findFault() {
      const standing = (await topics()).map(({ name, isClosed }) => `${name} ${isClosed ? "closed" : "open"}`);
      const found = standing.toSorted().join();
      return found === left.join() ? undefined : `the topics are: ${found}`;
    },
    async close() {
      ended.abort();
      await posting;
      await telegram.close();
    },
  };
}

/** A private chat without topics: `where` of what is said is a sub-agent's name, whose first message is answered. */
export async function openChainPlace(): Promise<TreePlace> {
  const telegram = await createTelegramEmulator({});
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  return {
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: telegram.url, TELEGRAM_ALLOW_FROM: "7" },
    config: {},
    files: {},
    marksRepeats: true,
    traces: ANCHOR_TRACES,
    async says(text, _lives, where) {
      const isStarter = (said: string) => said.includes("Reply to this message") && said.includes(where ?? "");
      const starter = where === undefined ? undefined : (await ada.messages()).findLast((one) => isStarter(one.text));
      await ada.says(text, starter === undefined ? {} : { replyTo: starter.messageId });
    },
    texts: async () => (await ada.messages()).map(({ text }) => text),
    async lose() {
      // Behind the first message of the chain.
      const gate = await telegram.faults.hold({ method: "sendMessage", at: "answer", skip: 1, times: 1 });
      return { taken: () => gate.reached(1, REACHED_WITHIN_MS), end: () => gate.cut() };
    },
    close: () => telegram.close(),
  };
}
