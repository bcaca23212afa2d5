import { assert, expect, test } from "vitest";
import { buildOutbound } from "../test-account.ts";
import { type Forum, type ForumOptions, OPENING, openForum, readHall } from "./forum.ts";

async function openTopic(options: ForumOptions = {}) {
  const forum = await openForum(options);
  const { address } = await forum.threads.open({ ...OPENING, parent: forum.address() });
  const [topic] = (await forum.hall.history()).topics;
  assert(topic !== undefined);
  const send = (text: string) => forum.connection.send(buildOutbound(0, text, { address }));
  return { forum, address, topicId: topic.id, send };
}

async function saidInGeneral({ hall, ada }: Forum): Promise<readonly string[]> {
  const messages = await hall.member(ada).messages();
  return messages.filter(({ extra }) => extra?.is_topic_message !== true).map(({ text }) => text);
}

test("T20: a closed topic is opened again for what is sent there", async () => {
  const { forum, topicId, send } = await openTopic();
  await forum.hall.promotes(forum.bot, forum.ada, { rights: { can_manage_topics: false } });
  await forum.hall.closesTopic(topicId, forum.ada);
  await send("still here");
  expect(await readHall(forum)).toEqual([["census", [OPENING.hello, "still here"]]]);
  expect(forum.account.gone).toEqual([]);
});

/** A topic of Ada's that the bot may neither write in nor open. */
async function closeTopic(options: ForumOptions = {}) {
  const forum = await openForum(options);
  const { hall, ada, bot, connection } = forum;
  const topicId = await hall.opensTopic("oaks", ada);
  await hall.promotes(bot, ada, { rights: { can_manage_topics: false } });
  await hall.closesTopic(topicId, ada);
  await hall.member(ada).says("@grove_bot closed");
  await forum.account.receives(1);
  const address = forum.address(topicId);
  const freed = forum.account.gone.length;
  const gone = () => forum.account.gone.slice(freed);
  const notice = formatNotice(hall.chatId, topicId, "What is due there comes here.");
  const send = (text: string, part: object = {}) => connection.send(buildOutbound(0, text, { address, ...part }));
  return { forum, address, topicId, gone, notice, send };
}

function formatNotice(chatId: number, topicId: number, due: string): string {
  const topic = `[a topic of this chat](https://t.me/c/${String(chatId).slice(4)}/${topicId})`;
  return `I can't write in ${topic} any more: it is closed, and I lack the right "Manage Topics" to open it. Open it, or give me that right. ${due}`;
}

test("T20: where the bot may not open it, the message goes to the chat, which is told what is missing", async () => {
  const { forum, address, topicId, gone, notice, send } = await closeTopic();
  const asked = await forum.hall.member(forum.ada).says("still there?", { topicId });
  await send("**still** here", { replyTo: String(asked) });
  expect((await saidInGeneral(forum)).at(-1)).toBe("(topic shut)\nstill here");
  expect(gone()).toEqual([address]);
  expect(forum.account.notices).toEqual([notice]);
});

test("T20: with threads.fallback refuse the chat is told what is missing, and the message is undeliverable", async () => {
  const { forum, topicId, send } = await closeTopic({ threadFallback: "refuse" });
  await expect(send("hello?")).rejects.toMatchObject({ class: "thread_gone" });
  const due = 'What is due there is not sent to another place (`threads.fallback` is "refuse").';
  expect(forum.account.notices).toEqual([formatNotice(forum.hall.chatId, topicId, due)]);
});

test("T20: what people write in it reaches no agent, also in another life, until it is open again", async () => {
  const { forum, topicId, send } = await closeTopic();
  await send("here");
  const next = await forum.reconnect();
  const ada = forum.hall.member(forum.ada);
  await ada.says("@grove_bot anybody?", { topicId });
  await ada.says("@grove_bot in the chat");
  expect(await next.account.receives(1)).toEqual(["in the chat"]);
  await forum.hall.reopensTopic(topicId, forum.ada);
  await ada.says("@grove_bot and now?", { topicId });
  expect(await next.account.receives(2)).toEqual(["in the chat", "and now?"]);
});

test("T20: nor until the bot has other rights", async () => {
  const { forum, topicId, send } = await closeTopic();
  await send("here");
  const ada = forum.hall.member(forum.ada);
  await forum.hall.promotes(forum.bot, forum.ada, { rights: { can_manage_topics: true } });
  await ada.says("@grove_bot and now?", { topicId });
  expect(await forum.account.receives(2)).toEqual(["closed", "and now?"]);
});

test("T20: after a day without news what people write there is answered, and refused, once more", async () => {
  const { forum, topicId, send } = await closeTopic();
  await send("here");
  forum.account.clock.advance(25 * 60 * 60_000);
  await forum.hall.member(forum.ada).says("@grove_bot anybody?", { topicId });
  expect(await forum.account.receives(2)).toEqual(["closed", "anybody?"]);
});

test("T20: a message is tried again where only the opening of its topic was cut off", async () => {
  const { forum, gone, send } = await closeTopic();
  await forum.telegram.faults.add({ kind: "drop-answer", method: "reopenForumTopic", times: 1 });
  await expect(send("hello")).rejects.toMatchObject({ class: "definite" });
  expect(gone()).toEqual([]);
});

test.each([
  ["T18", { code: 400, description: "Bad Request: message thread not found" }],
  ["T21", { code: 400, description: "Bad Request: TOPIC_ID_INVALID" }],
])(
  "%s: a topic that is gone is said to be before its message goes to the chat, never elsewhere",
  async (_, refusal) => {
    const { forum, address, send } = await openTopic();
    await forum.telegram.faults.add({ kind: "refuse", method: "sendMessage", ...refusal, times: 1 });
    const gate = await forum.telegram.faults.hold({ method: "sendMessage" });
    const sending = send("hello?");
    await gate.reached(1);
    expect(forum.account.gone).toEqual([address]);
    await gate.release();
    await sending;
    expect(await saidInGeneral(forum)).toEqual(["(topic gone)\nhello?"]);
  },
);

test("T20: what may have arrived in a topic that is closed before the next attempt bears both marks in the chat", async () => {
  const { forum, address, topicId, send } = await openTopic();
  await forum.telegram.faults.add({ kind: "drop-answer", method: "sendMessage", times: 1 });
  await expect(send("**still** here")).rejects.toMatchObject({ class: "ambiguous" });
  await forum.hall.promotes(forum.bot, forum.ada, { rights: { can_manage_topics: false } });
  await forum.hall.closesTopic(topicId, forum.ada);
  const description = "Bad Request: not enough rights to close or reopen the topic";
  await forum.telegram.faults.add({ kind: "refuse", method: "reopenForumTopic", code: 400, description });
  // As the host repeats it.
  const repeatMark = "(may be repeated)\n";
  const repeat = { address, attempt: 2, mayHaveArrived: true, repeatMark };
  await forum.connection.send(buildOutbound(0, `${repeatMark}**still** here`, repeat));
  expect(await saidInGeneral(forum)).toEqual(["(topic shut)\n(may be repeated)\nstill here"]);
});

test("T21: with threads.fallback refuse it is said to be gone, and the message is told to be undeliverable", async () => {
  const { forum, address, topicId, send } = await openTopic({ threadFallback: "refuse" });
  await forum.hall.deletesTopic(topicId, forum.ada);
  await expect(send("hello?")).rejects.toMatchObject({ class: "thread_gone" });
  expect(await saidInGeneral(forum)).toEqual([]);
  expect(forum.account.gone).toEqual([address]);
  expect(forum.account.notices).toEqual([expect.stringContaining("is deleted.")]);
});

test("what fails for another reason, or where there is no topic, is no matter of topics", async () => {
  const { forum, send } = await openTopic();
  await forum.telegram.faults.add({ kind: "too-many-requests", method: "sendMessage", retryAfterS: 9, times: 1 });
  await expect(send("hello?")).rejects.toMatchObject({ class: "rate_limited" });
  const refusal = { code: 400, description: "Bad Request: message thread not found" };
  await forum.telegram.faults.add({ kind: "refuse", method: "sendMessage", ...refusal, times: 1 });
  const sending = forum.connection.send(buildOutbound(0, "x", { address: forum.address() }));
  await expect(sending).rejects.toMatchObject({ class: "thread_gone" });
  expect(forum.account.gone).toEqual([]);
});
