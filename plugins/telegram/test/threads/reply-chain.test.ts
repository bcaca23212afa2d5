import { formatAddress, parseAddress } from "@banyan/plugin-sdk";
import { assert, expect, test } from "vitest";
import { formatChainAddress, parseChatPlace } from "../../src/chat-place.ts";
import { buildOutbound } from "../test-account.ts";
import { type Forum, OPENING, openForum } from "./forum.ts";

const { bindingId, hello } = OPENING;
const STARTER = `${hello}\nReply to this message or to its answers.`;

async function open(forum: Forum) {
  const { address } = await forum.threads.open({ ...OPENING, parent: forum.address() });
  const [starter] = await forum.hall.member(forum.ada).messages();
  assert(starter !== undefined);
  return { address, starter };
}

const texts = async ({ hall, ada }: Forum) => (await hall.member(ada).messages()).map(({ text }) => text);

test.each(["supergroup", "forum"] as const)(
  "T23: in a %s without topics for the bot a chain of replies begins with the hello",
  async (kind) => {
    const forum = await openForum({ kind });
    if (kind === "forum") await forum.hall.adds(forum.bot, forum.ada);
    const { address, starter } = await open(forum);
    expect(starter.text).toBe(STARTER);
    expect(parseAddress(address).thread).toBe(`re${starter.messageId}`);
    expect(await forum.threads.open({ ...OPENING, parent: forum.address() })).toEqual({ address });
  },
);

test("T23: nor where Telegram says it as of any right", async () => {
  const forum = await openForum();
  const refusal = { code: 400, description: "Bad Request: CHAT_ADMIN_REQUIRED" };
  await forum.telegram.faults.add({ kind: "refuse", method: "createForumTopic", ...refusal });
  const { address } = await open(forum);
  expect(parseAddress(address).thread).toMatch(/^re/);
});

test("what is sent there answers its first message, or the one that it was asked by", async () => {
  const forum = await openForum({ kind: "supergroup" });
  const { address, starter } = await open(forum);
  const asked = await forum.hall.member(forum.ada).says("how many?", { replyTo: starter.messageId });
  await forum.connection.send(buildOutbound(0, "one", { address }));
  await forum.connection.send(buildOutbound(0, "two", { address, replyTo: String(asked) }));
  const said = await forum.hall.member(forum.ada).messages();
  expect(said.map(({ replyTo }) => replyTo)).toEqual([undefined, starter.messageId, asked]);
});

test("what answers a message of the bot's tells the chain that it may belong to; nothing else does", async () => {
  const forum = await openForum({ kind: "supergroup" });
  const { address, starter } = await open(forum);
  const inHall = forum.hall.member(forum.ada);
  const own = await inHall.says("@grove_bot mine");
  await inHall.says("yours", { replyTo: starter.messageId });
  await inHall.says("@grove_bot my own", { replyTo: own });
  await forum.account.receives(3);
  const quotes = forum.account.received.map(({ quote }) => quote?.chain);
  expect(quotes).toEqual([undefined, address, undefined]);
});

test("its end shows in its first message, and behind a goodbye", async () => {
  const forum = await openForum({ kind: "supergroup" });
  const { address } = await open(forum);
  await forum.threads.rename({ address, name: "✅ census" });
  expect(await texts(forum)).toEqual(["✅ census\nReply to this message or to its answers."]);
  await forum.threads.archive({ bindingId, address, name: "✅ census", goodbye: "goodbye" });
  await forum.threads.archive({ bindingId, address, name: "✅ census", goodbye: "goodbye" });
  expect(await texts(forum)).toEqual(["✅ census", "goodbye"]);
});

test("the end of a chain in a topic leaves the topic alone, even where nothing is known of the chain any more", async () => {
  const forum = await openForum();
  const { address: topic } = await forum.threads.open({ ...OPENING, bindingId: "topic", parent: forum.address() });
  const address = formatChainAddress(parseAddress(topic), 9);
  await forum.threads.archive({ bindingId, address, goodbye: "goodbye" });
  await forum.threads.withdraw({ bindingId, parent: topic });
  expect((await forum.hall.history()).topics).toMatchObject([{ isClosed: false }]);
  expect(await forum.threads.open({ ...OPENING, bindingId: "topic", parent: forum.address() })).toEqual({
    address: topic,
  });
});

test("one that is taken back is deleted, also in another life", async () => {
  const forum = await openForum({ kind: "supergroup" });
  await open(forum);
  const next = await forum.reconnect();
  await next.threads.withdraw({ bindingId, parent: next.address() });
  await next.threads.withdraw({ bindingId, parent: next.address() });
  expect(await texts(next)).toEqual([]);
});

test("a first message of unclear end is not opened; the next of its name says that it may be there already", async () => {
  const forum = await openForum({ kind: "supergroup" });
  const begin = (by: Forum, id: string) => by.threads.open({ ...OPENING, bindingId: id, parent: by.address() });
  await forum.telegram.faults.add({ kind: "drop-answer", method: "sendMessage", times: 1 });
  await expect(begin(forum, "one")).rejects.toMatchObject({ class: "ambiguous" });
  const next = await forum.reconnect();
  await next.threads.withdraw({ bindingId: "one", parent: next.address() });
  const { address } = await begin(next, "two");
  expect(await texts(next)).toEqual([STARTER, `(may be repeated)\n${STARTER}`]);
  await next.threads.rename({ address, name: "✅ census" });
  expect((await texts(next))[1]).toMatch(/^\(may be repeated\)\n✅ census\n/);
});

test("one that is taken back while it begins does not stay", async () => {
  const forum = await openForum({ kind: "supergroup" });
  const gate = await forum.telegram.faults.hold({ method: "sendMessage", at: "answer", times: 1 });
  const refused = expect(open(forum)).rejects.toThrow("its spawn was undone");
  await gate.reached(1);
  await forum.threads.withdraw({ bindingId, parent: forum.address() });
  await gate.release();
  await refused;
  expect(await texts(forum)).toEqual([]);
});

test("what is remembered of a chain that is not there yet is cut like a topic's name", async () => {
  const forum = await openForum({ kind: "supergroup" });
  await forum.telegram.faults.add({ kind: "drop-answer", method: "sendMessage", times: 1 });
  const name = "a very long census ".repeat(500);
  await expect(forum.threads.open({ ...OPENING, name, parent: forum.address() })).rejects.toMatchObject({
    class: "ambiguous",
  });
  expect(forum.account.cursor).toContain(`"name":"${name.slice(0, 127)}…"`);
});

test("one that is refused leaves nothing behind", async () => {
  const forum = await openForum({ kind: "supergroup" });
  await forum.telegram.faults.add({ kind: "too-many-requests", method: "sendMessage", retryAfterS: 9, times: 1 });
  await expect(open(forum)).rejects.toMatchObject({ class: "rate_limited" });
  await open(forum);
  expect(await texts(forum)).toEqual([STARTER]);
});

test("threads.fallback refuse: the refusal names the cure, and nothing is said", async () => {
  const forum = await openForum({ kind: "supergroup", threadFallback: "refuse" });
  const refused = forum.threads.open({ ...OPENING, parent: forum.address() });
  await expect(refused).rejects.toThrow(
    /the chat is not a forum.*switch topics on in the group.*can_manage_topics.*threads.fallback: "reply"/,
  );
  expect(await texts(forum)).toEqual([]);
});

test("T12: a basic group's chain names its group, whose messages are none of the supergroup's that it becomes", () => {
  const place = { channel: "telegram", account: "default", kind: "group", chat: "-123" } as const;
  const address = formatChainAddress(place, 17);
  expect(parseChatPlace(address)).toEqual({ chatId: -123, isPrivate: false, topic: {}, starterId: 17 });
  const moved = formatAddress({ ...parseAddress(address), chat: "-1001234567890" });
  expect(parseChatPlace(moved)).toEqual({ chatId: -1001234567890, isPrivate: false, topic: {} });
  const inTopic = formatChainAddress({ ...place, chat: "-1001234567890", thread: "42" }, 17);
  expect(parseChatPlace(inTopic)).toMatchObject({ topic: { message_thread_id: 42 }, starterId: 17 });
  expect(formatChainAddress(parseAddress(inTopic), 18)).toBe(inTopic.replace("17", "18"));
});
