import { parseAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { type Forum, OPENING, openForum, readHall } from "./forum.ts";

const open = ({ threads, address }: Forum, more: Partial<typeof OPENING> = {}) =>
  threads.open({ ...OPENING, parent: address(), ...more });
const withdraw = ({ threads, address }: Forum, bindingId = OPENING.bindingId) =>
  threads.withdraw({ bindingId, parent: address() });
const countTopics = async ({ hall }: Forum) => (await hall.history()).topics.length;
/** Resolves when the hall has so many topics, of all that were ever opened. */
async function showsTopics(forum: Forum, count: number): Promise<void> {
  while ((await countTopics(forum)) !== count) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the account's time pass until something has ended. */
async function passTime({ account }: Forum, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  const ended = end.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    account.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
}

test("a topic is opened and greeted, and its address names it", async () => {
  const forum = await openForum();
  const { address } = await open(forum);
  expect(await readHall(forum)).toEqual([["census", [OPENING.hello]]]);
  const [topic] = (await forum.hall.history()).topics;
  expect(parseAddress(address).thread).toBe(String(topic?.id));
  expect(topic?.iconColor).toBe(0x8eee98);
  const [call] = await forum.telegram.record({ method: "createForumTopic" });
  expect(call?.params).toMatchObject({ name: "census" });
});

test("beside a topic where it is asked for in one, and asked for again it is the same one", async () => {
  const forum = await openForum();
  const { address } = await open(forum);
  expect(await open(forum)).toEqual({ address });
  const beside = await forum.threads.open({ ...OPENING, bindingId: "binding-2", parent: address });
  expect(parseAddress(beside.address).thread).toMatch(/^\d+$/);
  expect(await countTopics(forum)).toBe(2);
  const later = await forum.reconnect();
  expect(await open(later)).toEqual({ address });
});

test("an answer that is lost is found again by the news of the topic", async () => {
  const forum = await openForum();
  const gate = await forum.telegram.faults.hold({ method: "createForumTopic", at: "answer", times: 1 });
  const opening = open(forum);
  await gate.reached(1);
  await gate.cut();
  const { address } = await opening;
  expect(await readHall(forum)).toEqual([["census", [OPENING.hello]]]);
  expect(await open(forum)).toEqual({ address });
});

test("a request that is lost opens nothing, and says that nobody knows", async () => {
  const forum = await openForum();
  const gate = await forum.telegram.faults.hold({ method: "createForumTopic", times: 1 });
  const opening = open(forum);
  const refused = expect(opening).rejects.toMatchObject({ class: "ambiguous" });
  await gate.reached(1);
  await gate.cut();
  await passTime(forum, refused);
  await withdraw(forum);
  expect(await countTopics(forum)).toBe(0);
});

test("what a life has left half open is taken back by the next one: once it is known, whenever that is", async () => {
  const forum = await openForum();
  const gate = await forum.telegram.faults.hold({ method: "createForumTopic", at: "answer", times: 1 });
  // Before the poll that would tell of it this life is over.
  const polls = await forum.telegram.faults.hold({ method: "getUpdates", at: "answer" });
  const opening = open(forum).catch(() => undefined);
  await gate.reached(1);
  const next = await forum.reconnect();
  await gate.cut();
  await opening;
  await withdraw(next);
  expect(await countTopics(next)).toBe(1);
  await polls.release();
  await showsTopics(next, 0);
  // And again, it is no error.
  await withdraw(next);
});

test("one that is open is taken back by the next life, by its own id, whatever others are called", async () => {
  const forum = await openForum();
  await open(forum);
  const { address } = await open(forum, { bindingId: "binding-2" });
  const next = await forum.reconnect();
  await withdraw(next);
  const { topics } = await next.hall.history();
  expect(topics.map(({ id }) => String(id))).toEqual([parseAddress(address).thread]);
});

test("of two that are called alike each has its own, though the news of them tells only the name", async () => {
  const forum = await openForum();
  const gate = await forum.telegram.faults.hold({ method: "createForumTopic", at: "answer", times: 1 });
  const first = open(forum);
  const second = open(forum, { bindingId: "binding-2" });
  await gate.reached(1);
  await gate.cut();
  const [one, two] = await Promise.all([first, second]);
  expect(one.address).not.toBe(two.address);
  expect(await countTopics(forum)).toBe(2);
});

test("one that is taken back while it is being opened does not stay", async () => {
  const forum = await openForum();
  const gate = await forum.telegram.faults.hold({ method: "createForumTopic", at: "answer", times: 1 });
  const refused = expect(open(forum)).rejects.toThrow("its spawn was undone");
  await gate.reached(1);
  const withdrawn = withdraw(forum);
  await gate.release();
  await Promise.all([refused, withdrawn]);
  expect(await countTopics(forum)).toBe(0);
});

test("without the right to delete it is closed", async () => {
  const forum = await openForum();
  await open(forum);
  const rights = { can_manage_topics: true, can_delete_messages: false };
  await forum.hall.promotes(forum.bot, forum.ada, { rights });
  await withdraw(forum);
  expect(await readHall(forum)).toEqual([["census (closed)", [OPENING.hello]]]);
});

test("the opening is stored before it is asked for, and nothing is asked for where that fails", async () => {
  const forum = await openForum({ store: async (_, cursor) => (cursor?.includes("census") ? fail() : undefined) });
  await expect(open(forum)).rejects.toThrow("the store is full");
  expect(await forum.telegram.record({ method: "createForumTopic" })).toEqual([]);
});

test("a hello that is refused for now is left out; one that is refused for good is the end of it", async () => {
  const forum = await openForum();
  await forum.telegram.faults.add({ kind: "too-many-requests", method: "sendMessage", retryAfterS: 9, times: 1 });
  await open(forum);
  expect(await readHall(forum)).toEqual([["census", []]]);
  await forum.telegram.faults.add({ kind: "refuse", method: "sendMessage", ...MUTE, times: 1 });
  await expect(open(forum, { bindingId: "binding-2" })).rejects.toMatchObject({ class: "chat_gone" });
  await withdraw(forum, "binding-2");
  expect(await countTopics(forum)).toBe(1);
});

test("a flood is told as such, and nothing is left of the opening", async () => {
  const forum = await openForum();
  await forum.telegram.faults.add({ kind: "too-many-requests", method: "createForumTopic", retryAfterS: 9, times: 1 });
  await expect(open(forum)).rejects.toMatchObject({ class: "rate_limited" });
  await withdraw(forum);
  await open(forum);
  expect(await countTopics(forum)).toBe(1);
});

const MUTE = { code: 400, description: "Bad Request: not enough rights to send text messages to the chat" };

function fail(): never {
  throw new Error("the store is full");
}
