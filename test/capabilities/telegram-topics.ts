import { expect } from "vitest";
import { openTelegramGrove, readBindings, said, type TelegramGrove } from "../stage/telegram-grove.ts";
import type { Capability } from "./capability-table.ts";

const SPAWN = "/spawn --thread --label census count the trees";
const CALL = "@grove_bot ";

/** Conversations and sub-agents in topics, and in replies where there are none. */
export const TOPIC_CAPABILITIES: readonly Capability[] = [
  {
    ability: "topics of forums",
    deed: "Ada asked in a topic and in General",
    async check() {
      const town = await openTelegramGrove();
      const { hall, ada, agent, grove } = town;
      const oaks = await hall.opensTopic("oaks", ada);
      await hall.member(ada).says(`${CALL}how many?`, { topicId: oaks });
      await hall.member(ada).says(`${CALL}how old?`);
      await hall.member(ada).hears("heard: how many?");
      await hall.member(ada).hears("heard: how old?");
      await grove.rests();
      expect([await said(town, oaks), await said(town)]).toEqual([["heard: how many?"], ["heard: how old?"]]);
      const keys = new Set(agent.record.attempts.map(({ spec }) => spec.sessionKey));
      return `each answered in its place, ${keys.size} conversations`;
    },
  },
  {
    ability: "sub-agents in topics",
    deed: "`/spawn --thread` in a forum, then a line without a mention in the topic",
    async check() {
      const town = await openTelegramGrove();
      const { hall, ada, grove } = town;
      await hall.member(ada).says(CALL + SPAWN);
      await hall.member(ada).hears("heard: count the trees", { once: true });
      const [opened] = (await hall.history()).topics;
      await hall.member(ada).says("and the birds", { topicId: opened?.id ?? 0 });
      await hall.member(ada).hears("heard: and the birds", { once: true });
      return `a topic named “${await readMark(town)}”; ${await countCalls(town, "createForumTopic")}${await rest(grove)}`;
    },
  },
  {
    ability: "topics that close",
    deed: "`/spawn --thread --mode run`",
    async check() {
      const town = await openTelegramGrove();
      const { hall, ada, grove } = town;
      await hall.member(ada).says(`${CALL}${SPAWN} `.replace("--label", "--mode run --label"));
      await grove.until("a closed topic", async () => (await hall.history()).topics[0]?.isClosed || undefined);
      return `“${await readMark(town)}”, closed${await rest(grove)}`;
    },
  },
  {
    ability: "topics of private chats",
    deed: "`/spawn --thread` in a private chat, topics switched on in @BotFather",
    async check() {
      const { ada, grove } = await openTelegramGrove({ hasPrivateTopics: true });
      await ada.says(SPAWN);
      await ada.hears("heard: count the trees", { once: true });
      const [topic] = await ada.topics();
      await ada.says("and the birds", { topicId: topic?.id ?? 0 });
      await ada.hears("heard: and the birds", { once: true });
      const mark = async () => ((await ada.topics())[0]?.name === "✅ census" ? true : undefined);
      await grove.until("the mark", mark);
      return `a topic named “✅ census”, answered in itself${await rest(grove)}`;
    },
  },
  ...(["supergroup", "group"] as const).map((kind) => ({
    ability: kind === "group" ? "replies in basic groups" : "replies where there are no topics",
    deed: `\`/spawn --thread\` in a ${kind}, then an answer to what the sub-agent said, and a line beside it`,
    async check() {
      const { hall, ada, agent, grove } = await openTelegramGrove({ hall: kind });
      const inHall = hall.member(ada);
      await inHall.says(CALL + SPAWN);
      const work = await inHall.hears("heard: count the trees", { once: true });
      await inHall.says("and the birds", { replyTo: work.messageId });
      await inHall.hears("heard: and the birds", { once: true });
      await inHall.says(`${CALL}hello`);
      await inHall.hears("heard: hello", { once: true });
      await grove.rests();
      const heard = agent.record.of(`agent:main:telegram:group:${hall.chatId}`);
      expect(heard.map(({ input }) => input.map(({ text }) => text))).toEqual([["hello"]]);
      return "the sub-agent answered the first, the group’s own conversation the second";
    },
  })),
  {
    ability: "the cure, where neither is wanted",
    deed: '`/spawn --thread` in a supergroup with `threads.fallback: "refuse"`',
    async check() {
      const { hall, ada, grove } = await openTelegramGrove({ hall: "supergroup", threads: { fallback: "refuse" } });
      await hall.member(ada).says(CALL + SPAWN);
      await hall.member(ada).hears(/"Manage Topics"/, { once: true });
      return `a sentence that names *Manage Topics*, nothing opened${await rest(grove)}`;
    },
  },
  {
    ability: "a closed topic is opened again",
    deed: "Ada closed the topic and wrote in it",
    async check() {
      const town = await openTelegramGrove();
      const { hall, ada, bot, grove } = town;
      await hall.member(ada).says(CALL + SPAWN);
      await hall.member(ada).hears(/✅ census · done/, { once: true });
      const topicId = (await hall.history()).topics[0]?.id ?? 0;
      await hall.promotes(bot, ada, { rights: { can_manage_topics: false } });
      await hall.closesTopic(topicId, ada);
      await hall.member(ada).says("and the birds", { topicId });
      await hall.member(ada).hears("heard: and the birds", { once: true });
      expect((await hall.history()).topics[0]?.isClosed).toBe(false);
      return `${await countCalls(town, "reopenForumTopic")}, the same sub-agent answered${await rest(grove)}`;
    },
  },
  {
    ability: "a deleted topic swallows nothing",
    deed: "Ada wrote in the topic and deleted it before the answer",
    async check() {
      const town = await openTelegramGrove();
      const { hall, ada, grove } = town;
      await hall.member(ada).says(`${CALL}/spawn --thread --label well dig a well`);
      await hall.member(ada).hears(/works here/);
      const topicId = (await hall.history()).topics[0]?.id ?? 0;
      await grove.until("the binding", async () => ((await readBindings(town)).length === 1 ? true : undefined));
      await hall.member(ada).says("how deep?", { topicId });
      await hall.deletesTopic(topicId, ada);
      await hall.member(ada).says(`${CALL}/kill well`);
      await hall.member(ada).hears("(topic gone)\nheard: how deep?", { once: true });
      await grove.until("freedom", async () => ((await readBindings(town)).length === 0 ? true : undefined));
      return `the answer stands in the group, “(topic gone)” before it${await rest(grove)}`;
    },
  },
];

/** The name of the only topic, once its run's end shows in it. */
async function readMark({ hall, grove }: TelegramGrove): Promise<string> {
  return grove.until("the mark of the end", async () => {
    const [topic] = (await hall.history()).topics;
    return topic?.name.startsWith("✅") ? topic.name : undefined;
  });
}

/** What the emulator's record says of calls, such as `createForumTopic × 2`. */
async function countCalls({ telegram }: TelegramGrove, method: string): Promise<string> {
  return `\`${method}\` × ${(await telegram.record({ method })).length}`;
}

async function rest(grove: TelegramGrove["grove"]): Promise<""> {
  await grove.rests();
  return "";
}
