import type { TelegramRoom } from "@banyan/emulator-telegram";
import { formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { type GrowingLife, type GrowingTown, openGrowingTown } from "./growing-town.ts";

const FIRST_MS = 1_500;
const WORDS_MS = 1_000;
const NEXT_MS = 3_000;
const EDITS = { config: { growingAnswers: "edits" } } as const;
const [SEND, EDIT, DELETE] = ["sendMessage", "editMessageText", "deleteMessage"] as const;

/** Shows the text as the first one; resolves with the message's id. */
async function showFirst({ ada }: GrowingTown, life: GrowingLife, text: string): Promise<number> {
  life.grow(text);
  await life.passes(FIRST_MS);
  await life.passes(WORDS_MS);
  return (await ada.hears(`${text} ▍`)).messageId;
}

async function readChat({ ada }: GrowingTown): Promise<readonly string[]> {
  return (await ada.messages()).map(({ text }) => text);
}

test("an answer appears without words, grows, and its delivery is the same message", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  life.grow("Once");
  await life.passes(FIRST_MS);
  const { messageId } = await town.ada.hears("▍");
  await life.passes(WORDS_MS);
  await town.ada.hears("Once ▍");
  life.grow("Once **upon**");
  await life.passes(NEXT_MS);
  await town.ada.hears("Once upon ▍");
  life.ends();
  expect(await life.answers("Once **upon** a time")).toBe(messageId);
  expect(await readChat(town)).toEqual(["Once upon a time"]);
  life.account.clock.advance(60_000);
  expect(await town.telegram.record({ method: DELETE })).toEqual([]);
});

test("after a death between message and delivery the new life goes on in the same message", async () => {
  const town = await openGrowingTown();
  const first = await town.lives(EDITS);
  const messageId = await showFirst(town, first, "Once");
  const { cursor } = first.account;
  await first.account.close();
  // It knows drafts, and what stands is not left behind all the same.
  const second = await town.lives({ cursor });
  second.grow("Once more");
  await second.passes(FIRST_MS);
  await town.ada.hears("Once more ▍");
  // An edit of the first life comes no more.
  second.account.clock.advance(20_000);
  expect(await second.answers("Once more upon a time")).toBe(messageId);
  expect(await readChat(town)).toEqual(["Once more upon a time"]);
});

test.each([
  ["before it was sent", "drop-request", []],
  ["behind it, its answer lost", "drop-answer", ["▍"]],
] as const)("a death %s leaves not a word of the answer, which is sent once", async (_, kind, left) => {
  const town = await openGrowingTown();
  const first = await town.lives(EDITS);
  await town.telegram.faults.add({ kind, method: SEND });
  first.grow("Once");
  await first.passes(FIRST_MS);
  await first.account.says(/could not be shown/);
  const { cursor } = first.account;
  expect(cursor).toContain("turn-1");
  await first.account.close();
  const second = await town.lives({ ...EDITS, cursor });
  second.grow("Once more");
  await second.passes(FIRST_MS);
  await second.answers("Once more upon a time");
  expect(await readChat(town)).toEqual([...left, "Once more upon a time"]);
});

test("T56: a delivery whose answer is lost is the same edit again: it stands there once and needs no mark", async () => {
  const town = await openGrowingTown();
  const first = await town.lives(EDITS);
  const messageId = await showFirst(town, first, "Once");
  await town.telegram.faults.add({ kind: "drop-answer", method: EDIT });
  await expect(first.answers("Once upon a time")).rejects.toMatchObject({ class: "definite" });
  const { cursor } = first.account;
  await first.account.close();
  const second = await town.lives({ ...EDITS, cursor });
  const repeat = { attempt: 2, mayHaveArrived: true, repeatMark: "(may be repeated)\n" };
  expect(await second.answers("(may be repeated)\nOnce upon a time", repeat)).toBe(messageId);
  expect(await readChat(town)).toEqual(["Once upon a time"]);
});

test.each([
  ["that ends without one", 30_000],
  ["that another life began and nobody goes on with", 600_000],
])("T10: what a turn showed %s is taken away", async (_, delayMs) => {
  const town = await openGrowingTown();
  let life = await town.lives(EDITS);
  await showFirst(town, life, "Let me see");
  if (delayMs === 30_000) life.ends();
  else {
    const { cursor } = life.account;
    await life.account.close();
    life = await town.lives({ ...EDITS, cursor });
  }
  await life.passes(delayMs);
  await town.telegram.called(DELETE);
  expect(await readChat(town)).toEqual([]);
});

test("T10: what can be deleted no more is let be, and forgotten", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await showFirst(town, life, "Let me see");
  await town.telegram.faults.add({
    kind: "refuse",
    method: DELETE,
    code: 400,
    description: "Bad Request: message can't be deleted",
  });
  life.ends();
  const stored = life.account.stores(1);
  await life.passes(30_000);
  await stored;
  expect(life.account.cursor).not.toContain("turn-1");
  expect(life.account.logged.filter(({ level }) => level === "warn")).toEqual([]);
});

test("T8: a person who deletes it is left alone, and the answer comes as a message of its own", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  const messageId = await showFirst(town, life, "Once");
  await town.ada.erases(messageId);
  life.grow("Once upon");
  await life.passes(NEXT_MS);
  await life.account.says(/could not be shown/);
  life.grow("Once upon a");
  await life.passes(NEXT_MS);
  expect(await life.answers("Once upon a time")).not.toBe(messageId);
  expect(await readChat(town)).toEqual(["Once upon a time"]);
  expect(await town.telegram.record({ method: EDIT })).toHaveLength(2);
});

test("T8: also where it is deleted right before the answer", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await town.ada.erases(await showFirst(town, life, "Once"));
  await life.answers("Once upon a time");
  expect(await readChat(town)).toEqual(["Once upon a time"]);
});

test("a long answer begins in its message, and its other parts stand below", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  const messageId = await showFirst(town, life, "one");
  expect(await life.answers("one", { of: 2 })).toBe(messageId);
  expect(await life.answers("two", { part: 1, of: 2 })).not.toBe(messageId);
  expect(await readChat(town)).toEqual(["one", "two"]);
});

test("a second message of the same turn is a message of its own", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await showFirst(town, life, "one");
  await life.answers("one");
  await life.answers("two", { deliveryId: "other" });
  expect(await readChat(town)).toEqual(["one", "two"]);
});

test("words that Telegram refuses leave no beginning of them behind", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await showFirst(town, life, "Once");
  for (const method of [EDIT, SEND])
    await town.telegram.faults.add({ kind: "refuse", method, code: 400, description: "Bad Request: SOMETHING" });
  await expect(life.answers("Once upon a time")).rejects.toMatchObject({ class: "permanent" });
  expect(await readChat(town)).toEqual([]);
});

test("T27: the longer it grows, the rarer it is edited; and who is told to wait does", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await showFirst(town, life, "0");
  life.grow("0 0");
  await life.account.clock.awaitAlarm(NEXT_MS);
  life.account.clock.advance(48_000);
  await town.ada.hears("0 0 ▍");
  life.grow("1");
  await life.passes(6_000);
  await town.ada.hears("1 ▍");
  await town.telegram.faults.add({ kind: "too-many-requests", method: EDIT, retryAfterS: 70 });
  life.grow("2");
  await life.passes(6_750);
  life.grow("3");
  await life.passes(70_000);
  await town.ada.hears("3 ▍");
  expect(await town.telegram.record({ method: EDIT })).toHaveLength(5);
});

test("T27: a message that was not taken is begun again when its time has come", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await town.telegram.faults.add({ kind: "too-many-requests", method: SEND, retryAfterS: 7 });
  life.grow("Once");
  await life.passes(FIRST_MS);
  await life.passes(7_000);
  await town.ada.hears("▍");
});

function addressOf(group: TelegramRoom) {
  return formatAddress({ channel: "telegram", account: "default", kind: "group", chat: String(group.chatId) });
}

/** An answer that has begun to grow in a basic group. */
async function growInGroup() {
  const town = await openGrowingTown();
  const bots = [await town.telegram.bot()];
  const group = await town.telegram.createRoom({ kind: "group", title: "Hall", creator: town.ada, bots });
  const address = addressOf(group);
  const life = await town.lives(EDITS);
  life.grow("Once", { address });
  await life.passes(FIRST_MS);
  await life.passes(WORDS_MS);
  const inHall = group.member(town.ada);
  await inHall.hears("Once ▍");
  const countLooks = async () => (await town.telegram.record({ method: "sendChatAction" })).length;
  return { town, group, address, life, inHall, countLooks };
}

test("in a group edits are rarer still, and wait for the account's pace", async () => {
  const { life, address, inHall } = await growInGroup();
  life.grow("Once upon", { address });
  await life.passes(6_000);
  await inHall.hears("Once upon ▍");
  const messageId = await life.answers("Once upon a time", { address });
  expect(await inHall.messages()).toMatchObject([{ messageId, text: "Once upon a time" }]);
});

test("T12: an answer that grows in a group which becomes a supergroup goes on in the new one only", async () => {
  const { town, group, address, life, inHall } = await growInGroup();
  const grown = await group.upgrades(town.ada);
  const shown = inHall.hears("Once upon ▍").catch(() => undefined);
  const given = life.account.stores(1);
  life.grow("Once upon", { address });
  await life.passes(6_000);
  // Whichever comes: words in the old group, or that nothing is shown there any more.
  await Promise.race([shown, given]);
  const moved = { class: "migrated", migratedTo: addressOf(grown) };
  await expect(life.answers("Once upon a time", { address })).rejects.toMatchObject(moved);
  await life.answers("Once upon a time", { address: addressOf(grown) });
  await grown.member(town.ada).hears("Once upon a time", { once: true });
  expect((await inHall.messages()).map(({ text }) => text)).not.toContainEqual(expect.stringContaining("upon"));
  expect(await town.telegram.record({ method: EDIT })).toHaveLength(1);
});

test("T12: each look at whether a group has moved is a call: one for what grows, two for the answer", async () => {
  const { life, address, inHall, countLooks } = await growInGroup();
  expect(await countLooks()).toBe(1);
  life.grow("Once upon", { address });
  await life.passes(6_000);
  await inHall.hears("Once upon ▍");
  expect(await countLooks()).toBe(2);
  await life.answers("Once upon a time", { address });
  expect(await countLooks()).toBe(4);
});

test("what is polled meanwhile keeps what is written down of it, and the other way round", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await town.ada.says("one");
  await life.account.receives(1);
  const before = life.account.cursor;
  await showFirst(town, life, "Once");
  expect(life.account.cursor?.split("\n")[0]).toBe(before);
  await town.ada.says("two");
  await life.account.receives(2);
  expect(life.account.cursor).toContain("turn-1");
  expect(life.account.cursor?.split("\n")[0]).not.toBe(before);
});

const NO_RIGHT = { kind: "refuse", code: 400, description: "Bad Request: CHAT_ADMIN_REQUIRED" } as const;

test.each([
  ["CHAT_ADMIN_REQUIRED", true],
  ["CHAT_ADMIN_REQUIRED", false],
  ["message thread not found", true],
  ["a refusal that nobody knows", true],
])("T17: a delivery whose edit is refused (%s) is a new message; the draft is deleted: %s", async (what, isDeleted) => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  const messageId = await showFirst(town, life, "Once");
  await town.telegram.faults.add({ ...NO_RIGHT, description: `Bad Request: ${what}`, method: EDIT, times: "always" });
  if (!isDeleted) await town.telegram.faults.add({ ...NO_RIGHT, method: DELETE, times: "always" });
  expect(await life.answers("Once upon a time")).not.toBe(messageId);
  expect(await readChat(town)).toEqual([...(isDeleted ? [] : ["Once ▍"]), "Once upon a time"]);
});

test("T17: behind a death over the new message the next life sends it again with its mark, and edits nothing", async () => {
  const town = await openGrowingTown();
  const first = await town.lives(EDITS);
  await showFirst(town, first, "Once");
  await town.telegram.faults.add({ ...NO_RIGHT, method: EDIT });
  const lost = await town.telegram.faults.add({ kind: "drop-answer", method: SEND });
  await expect(first.answers("Once upon a time")).rejects.toMatchObject({ class: "ambiguous" });
  await lost.met();
  const { cursor } = first.account;
  await first.account.close();
  const second = await town.lives({ ...EDITS, cursor });
  const repeat = { attempt: 2, mayHaveArrived: true, repeatMark: "(may be repeated)\n" };
  await second.answers("(may be repeated)\nOnce upon a time", repeat);
  expect(await readChat(town)).toEqual(["Once upon a time", "(may be repeated)\nOnce upon a time"]);
});

test("T17: where an earlier edit may have been made and its message stays, the new one is marked", async () => {
  const town = await openGrowingTown();
  const life = await town.lives(EDITS);
  await showFirst(town, life, "Once");
  await town.telegram.faults.add({ kind: "drop-answer", method: EDIT });
  await expect(life.answers("Once upon a time")).rejects.toMatchObject({ class: "definite" });
  await town.telegram.faults.add({ ...NO_RIGHT, method: EDIT });
  await town.telegram.faults.add({ ...NO_RIGHT, method: DELETE });
  // The host sends it again, and says then that it may be there.
  await expect(life.answers("Once upon a time", { attempt: 2 })).rejects.toMatchObject({ class: "ambiguous" });
});
