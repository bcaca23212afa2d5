import { type Announcement, type Completion, formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { deriveButtonKey, formatButtonData } from "../../src/buttons/button-data.ts";
import { openTelegramTown } from "../telegram-town.ts";
import { buildOutbound, type TestAccountOptions, TOKEN } from "../test-account.ts";

const runId = "0b5a3f0e-6f3d-4a53-9f0b-3a1d6ef0a001";
const { address } = buildOutbound(42, "-");
const completion: Completion = {
  runId,
  childSessionKey: "agent:oak:subagent:1",
  label: "nap",
  task: "sleep for a while",
  outcome: "done",
  result: "I slept well.",
  durationMs: 4_100,
  askedBy: "42",
};
const announcement: Announcement = {
  delivery: { id: "d1", part: 1, of: 2, attempt: 1, createdAt: 0, mayHaveArrived: false },
  completion,
  target: address,
  text: "I slept **well**.",
  requesterSessionKey: "agent:oak:telegram:dm:42",
  childSessionKey: completion.childSessionKey,
  runId,
};

/** Ada has a message with a button that tries again what of a result did not arrive. */
async function openTown(options: TestAccountOptions = {}) {
  const town = await openTelegramTown();
  await town.ada.starts();
  const account = town.createAccount(options);
  const connection = await account.connect();
  await account.announce(announcement);
  const { messageId } = await town.ada.hears("I slept well.");
  return { ...town, account, connection, messageId };
}

test("a press is the command of whoever pressed, and is acknowledged", async () => {
  const { ada, account } = await openTown();
  expect(await ada.presses("Try again")).toEqual({ text: "On it.", isAlert: false });
  expect(account.received).toMatchObject([
    { address, sender: { id: "42", displayName: "Ada" }, text: `/retry ${runId}` },
  ]);
  expect(account.received[0]).not.toHaveProperty("addressed");
});

test("attack 27: a double click is two commands with ids of their own, each acknowledged", async () => {
  const { ada, account } = await openTown();
  await Promise.all([ada.presses("Try again"), ada.presses("Try again")]);
  expect(new Set(account.received.map(({ id }) => id)).size).toBe(2);
});

test("attack 27: somebody else's button, an expired one and a forged one are refused with a word", async () => {
  const { ada, account } = await openTown();
  const key = deriveButtonKey(TOKEN);
  const build = (userId: string, expiresAt: number) =>
    formatButtonData({ action: "kill", runId, userId, expiresAt }, key) ?? "";
  const soon = Date.now() + 3_600_000;
  const press = async (data: string) => (await ada.presses("Try again", { data }))?.text;
  expect(await press(build("43", soon))).toMatch(/for the one who asked/);
  expect(await press(build("42", 1_000))).toMatch(/too old/);
  for (const forged of ["kill", build("42", soon).replace(/^k/, "r"), "x".repeat(64)])
    expect(await press(forged)).toMatch(/none of mine/);
  expect(account.received).toEqual([]);
});

test("attack 27: a button works after a restart, and says so after the token has changed", async () => {
  const { ada, account, createAccount } = await openTown();
  const { cursor } = account;
  await account.close();
  const second = createAccount({ cursor });
  await second.connect();
  await ada.presses("Try again");
  expect(second.received).toHaveLength(1);
  const key = deriveButtonKey(`${TOKEN}x`);
  const data = formatButtonData({ action: "retry", runId, userId: "42", expiresAt: Date.now() + 3_600_000 }, key) ?? "";
  expect((await ada.presses("Try again", { data }))?.text).toMatch(/older than my present token/);
  expect(second.received).toHaveLength(1);
});

test("in a group the command is for the bot, in its topic; and only whoever asked may press", async () => {
  const { telegram, ada, account, createAccount } = await openTown();
  await account.close();
  const bob = await telegram.user({ id: 43, firstName: "Bob" });
  const people = { creator: ada, members: [bob], bots: [await telegram.bot()] };
  const hall = await telegram.createRoom({ kind: "supergroup", title: "Hall", isForum: true, ...people });
  const topic = String(await hall.opensTopic("news", ada));
  const place = { channel: "telegram", account: "default", kind: "group", chat: String(hall.chatId) } as const;
  const target = formatAddress({ ...place, thread: topic });
  const second = createAccount();
  await second.connect();
  await second.announce({ ...announcement, target });
  expect((await hall.member(bob).presses("Try again"))?.text).toMatch(/for the one who asked/);
  await hall.member(ada).presses("Try again");
  expect(second.received).toMatchObject([{ address: target, sender: { id: "42" }, addressed: true }]);
});

test("T51: a message out of reach gives the command where it stood; in a forum nobody knows where", async () => {
  const { telegram, ada, account } = await openTown();
  await ada.presses("Try again", { isInaccessible: true });
  expect(account.received).toMatchObject([{ address, text: `/retry ${runId}` }]);
  const hall = await telegram.createRoom({
    kind: "supergroup",
    title: "Hall",
    isForum: true,
    creator: ada,
    bots: [await telegram.bot()],
  });
  const place = { channel: "telegram", account: "default", kind: "group", chat: String(hall.chatId) } as const;
  await account.announce({ ...announcement, target: formatAddress(place) });
  const answer = await hall.member(ada).presses("Try again", { isInaccessible: true });
  expect(answer?.text).toMatch(/too old for its button/);
  expect(account.received).toHaveLength(1);
});

test("T25, T51: nor in a private chat with topics, where it may have stood in any of them", async () => {
  const { telegram, ada, account, createAccount } = await openTown();
  await account.close();
  await telegram.setBot({ abilities: { has_topics_enabled: true } });
  const second = createAccount();
  await second.connect();
  const answer = await ada.presses("Try again", { isInaccessible: true });
  expect(answer?.text).toMatch(/too old for its button/);
  expect(second.received).toEqual([]);
  await ada.presses("Try again");
  expect(second.received).toMatchObject([{ address, text: `/retry ${runId}` }]);
});

test("T50: a word that comes too late troubles nobody, and the command counts", async () => {
  const { telegram, ada, account } = await openTown();
  const description = "Bad Request: query is too old and response timeout expired or query ID is invalid";
  await telegram.faults.add({ kind: "refuse", method: "answerCallbackQuery", code: 400, description });
  const pressing = ada.presses("Try again", { timeoutMs: 0 });
  await account.says(/a press of a button was not answered/);
  expect(await pressing).toBeUndefined();
  expect(account.received).toHaveLength(1);
});

test("a press that waits to be stored is acknowledged in time, once", async () => {
  const gate = Promise.withResolvers<void>();
  const { telegram, ada, account } = await openTown({
    store: ([message]) => (message ? gate.promise : Promise.resolve()),
  });
  const pressing = ada.presses("Try again");
  await account.clock.awaitAlarm(1_500);
  account.clock.advance(1_500);
  expect((await pressing)?.text).toMatch(/takes a moment/);
  gate.resolve();
  await account.receives(1);
  expect(await telegram.record({ method: "answerCallbackQuery" })).toHaveLength(1);
});

test("somebody who is not let in is told so", async () => {
  const { ada } = await openTown({ outcome: "refused" });
  expect((await ada.presses("Try again"))?.text).toMatch(/answers only those/);
});

test("buttons stand below the last part, and only there", async () => {
  const { ada, account } = await openTown();
  await account.announce({ ...announcement, delivery: { ...announcement.delivery, id: "d2", part: 0 }, text: "first" });
  await account.announce({
    ...announcement,
    delivery: { ...announcement.delivery, id: "d3", part: 0, of: 1 },
    text: "only",
  });
  const markups = (await ada.messages()).map(({ text, replyMarkup }) => [text, replyMarkup !== undefined]);
  expect(markups).toEqual([
    ["I slept well.", true],
    ["first", false],
    ["only", false],
  ]);
});

test("what is announced elsewhere is not this account's", async () => {
  const { account } = await openTown();
  const target = formatAddress({ channel: "telegram", account: "other", kind: "dm", chat: "42" });
  expect(await account.announce({ ...announcement, target })).toBeUndefined();
});

test("a message that tells of a sub-agent has its buttons, and an edit gives them again or drops them", async () => {
  const { ada, connection } = await openTown();
  const run = { runId, state: "working", askedBy: "42" } as const;
  const { platformId } = await connection.send(buildOutbound(42, "🌱 nap is at work", { run }));
  expect((await ada.presses("Stop"))?.text).toBe("On it.");
  await connection.edits?.edit({ address, platformId, text: "🌱 nap is at work, 4 s", run });
  await ada.presses("Stop");
  await connection.edits?.edit({ address, platformId, text: "✅ nap" });
  await expect(ada.presses("Stop")).rejects.toMatchObject({ code: "unknown_message" });
});

test("what has an anchor is edited into it, with its buttons, and is its receipt", async () => {
  const { telegram, ada, account, connection } = await openTown();
  const { platformId: anchorId } = await connection.send(buildOutbound(42, "🌱 nap is at work"));
  const delivery = { ...announcement.delivery, id: "d2", anchorId };
  expect(await account.announce({ ...announcement, delivery, text: "told" })).toEqual({ platformId: anchorId });
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["I slept well.", "told"]);
  expect((await ada.presses("Try again", { messageId: Number(anchorId) }))?.text).toBe("On it.");
  await ada.erases(Number(anchorId));
  await expect(account.announce({ ...announcement, delivery, text: "again" })).rejects.toMatchObject({
    class: "message_gone",
  });
  expect(await telegram.record({ method: "editMessageText" })).toHaveLength(2);
});
