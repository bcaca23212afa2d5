import { formatAddress } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { openGrowingTown } from "./growing-town.ts";

const FIRST_MS = 500;
const NEXT_MS = 1_000;
const REFRESH_MS = 20_000;
const DRAFT = "sendMessageDraft";

test("T45: an answer is seen while it grows, and comes as one message", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  life.grow("Once **upon");
  await life.passes(FIRST_MS);
  expect(await ada.hearsDraft("Once **upon ▍")).toMatchObject({ canStop: true });
  life.grow("Once **upon** a");
  await life.passes(NEXT_MS);
  expect((await ada.hearsDraft("Once upon a ▍")).entities).toEqual([{ type: "bold", offset: 5, length: 4 }]);
  life.ends();
  await life.answers("Once **upon** a time");
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
  expect(await ada.drafts()).toEqual([]);
  const drafts = await telegram.record({ method: DRAFT });
  expect(new Set(drafts.map(({ params: { draft_id: id } }) => id)).size).toBe(1);
  expect(drafts[0]?.params).not.toMatchObject({ draft_id: 0 });
});

test("T45: a draft whose words do not change is shown again before it vanishes", async () => {
  const { telegram, lives } = await openGrowingTown();
  const life = await lives();
  life.grow("Let me see");
  await life.passes(FIRST_MS);
  await telegram.called(DRAFT, 1);
  await life.passes(REFRESH_MS);
  await telegram.called(DRAFT, 2);
  await life.passes(REFRESH_MS);
  await telegram.called(DRAFT, 3);
  const calls = await telegram.record({ method: DRAFT });
  expect(new Set(calls.map(({ params: { text } }) => text))).toEqual(new Set(["Let me see ▍"]));
});

test("words that come fast are one call, of the newest", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  for (const text of ["1", "1 2", "1 2 3"]) life.grow(text);
  await life.passes(FIRST_MS);
  await ada.hearsDraft("1 2 3 ▍");
  expect(await telegram.record({ method: DRAFT })).toHaveLength(1);
});

test("a short answer is sent whole, and nothing is shown of it before", async () => {
  const { telegram, lives } = await openGrowingTown();
  const life = await lives();
  life.grow("No");
  life.ends();
  await life.answers("No.");
  life.account.clock.advance(60_000);
  expect(await telegram.record({ method: DRAFT })).toEqual([]);
});

test("a long answer shows its beginning, within Telegram's limit", async () => {
  const { ada, lives } = await openGrowingTown();
  const life = await lives();
  life.grow(`\`\`\`\n${"🌳".repeat(3_000)}`);
  await life.passes(FIRST_MS);
  const { text, entities } = await ada.hearsDraft(/▍$/);
  expect(text.length).toBeLessThanOrEqual(4_096);
  expect([text.isWellFormed(), entities]).toMatchObject([true, [{ type: "pre", offset: 0 }]]);
});

test("T62: in a topic of a private chat all drafts of a turn go into it", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  const address = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "42", thread: "7" });
  life.grow("Once", { address });
  await life.passes(FIRST_MS);
  life.grow("Once upon", { address });
  await life.passes(NEXT_MS);
  await ada.hearsDraft("Once upon ▍");
  const calls = await telegram.record({ method: DRAFT });
  expect(calls.map(({ params: { message_thread_id: id } }) => id)).toEqual([7, 7]);
});

test("T4: markup that is refused is left out", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  const description = "Bad Request: can't parse entities";
  await telegram.faults.add({ kind: "refuse", method: DRAFT, code: 400, description });
  life.grow("so **bold**");
  await life.passes(FIRST_MS);
  expect((await ada.hearsDraft("so bold ▍")).entities).toEqual([]);
});

test.each([
  ["T57", 404, "Not Found: method not found"],
  ["T45", 400, "Bad Request: TEXTDRAFT_PEER_INVALID"],
])("%s: a server that knows no drafts is asked once, and answers grow in a message", async (_, code, description) => {
  const { telegram, ada, lives } = await openGrowingTown();
  await telegram.faults.add({ kind: "refuse", method: DRAFT, code, description, times: "always" });
  const life = await lives();
  life.grow("Once");
  await life.passes(FIRST_MS);
  await life.passes(0);
  await ada.hears("▍");
  await life.passes(1_000);
  await ada.hears("Once ▍");
  await life.answers("Once upon a time");
  // Nor is it asked in any other chat.
  const eve = await telegram.user({ id: 43, firstName: "Eve" });
  await eve.starts();
  const address = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "43" });
  life.grow("Again", { turnId: "turn-2", address });
  await life.passes(1_500);
  await life.passes(1_000);
  await eve.hears("Again ▍");
  expect(await telegram.record({ method: DRAFT })).toHaveLength(1);
});

test("a chat that refuses drafts gets a message; other chats keep theirs", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const eve = await telegram.user({ id: 43, firstName: "Eve" });
  await eve.starts();
  const description = "Bad Request: SOMETHING";
  await telegram.faults.add({ kind: "refuse", method: DRAFT, code: 400, description });
  const life = await lives();
  life.grow("Once");
  await life.passes(FIRST_MS);
  await life.passes(0);
  await ada.hears("▍");
  const address = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "43" });
  life.grow("Twice", { turnId: "turn-2", address });
  await life.passes(FIRST_MS);
  await eve.hearsDraft("Twice ▍");
  const calls = await telegram.record({ method: DRAFT });
  expect(calls.map(({ params: { chat_id: id } }) => Number(id))).toEqual([42, 43]);
});

test("T27: while Telegram asks to wait nothing is shown", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  await telegram.faults.add({ kind: "too-many-requests", method: DRAFT, retryAfterS: 7 });
  life.grow("Once");
  await life.passes(FIRST_MS);
  life.grow("Once upon");
  await life.passes(7_000);
  await ada.hearsDraft("Once upon ▍");
  expect(await telegram.record({ method: DRAFT })).toHaveLength(2);
});

test("T13, T55: what is lost of a draft troubles nobody, and the next one is shown", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  await telegram.faults.add({
    kind: "refuse",
    method: DRAFT,
    code: 403,
    description: "Forbidden: bot was blocked by the user",
  });
  await telegram.faults.add({ kind: "drop-answer", method: DRAFT });
  life.grow("1");
  await life.passes(FIRST_MS);
  life.grow("1 2");
  await life.passes(NEXT_MS);
  life.grow("1 2 3");
  await life.passes(NEXT_MS);
  await ada.hearsDraft("1 2 3 ▍");
  expect(life.account.logged.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
});

test("a group gets no growing answers unless they are asked for", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const bots = [await telegram.bot()];
  const group = await telegram.createRoom({ kind: "group", title: "Hall", creator: ada, bots });
  const life = await lives();
  const chat = String(group.chatId);
  life.grow("Once", { address: formatAddress({ channel: "telegram", account: "default", kind: "group", chat }) });
  expect(life.account.clock.pending).toBe(0);
});

test("switched off, nothing is shown", async () => {
  const { lives } = await openGrowingTown();
  const life = await lives({ config: { growingAnswers: "off" } });
  life.grow("Once");
  expect(life.account.clock.pending).toBe(0);
});

test.each([
  ["topic", "7"],
  ["chain of replies", "re7"],
])(
  "T61: whoever stops a growing answer has said so, in its %s too; the command is for that turn alone",
  async (_, thread) => {
    const { ada, lives } = await openGrowingTown();
    const life = await lives();
    const address = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "42", thread });
    life.grow("Once", { address });
    await life.passes(FIRST_MS);
    await ada.hearsDraft("Once ▍");
    await ada.stopsDraft();
    await life.account.receives(1);
    expect(life.account.received).toMatchObject([{ text: "/stop", address, sender: { id: "42", displayName: "Ada" } }]);
  },
);

test("T61: a stop that comes when the turn has ended stops no other one", async () => {
  const { ada, lives } = await openGrowingTown();
  const life = await lives();
  life.grow("Once");
  await life.passes(FIRST_MS);
  await ada.hearsDraft("Once ▍");
  life.ends();
  await ada.stopsDraft();
  await life.account.says(/update ignored/);
  await ada.says("next");
  await life.account.receives(1);
  expect(life.account.received).toMatchObject([{ text: "next" }]);
});

test("T61: nor does the stop of another draft, while a turn is at work", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  life.grow("Once");
  await life.passes(FIRST_MS);
  await ada.hearsDraft("Once ▍");
  const chat = { id: 42, type: "private", first_name: "Ada" };
  await telegram.pushUpdate({ stopped_message_generation: { chat, draft_id: 12_345 } });
  await life.account.says(/update ignored/);
  expect(life.account.received).toEqual([]);
});

test("a draft that hangs holds no answer up", async () => {
  const { telegram, ada, lives } = await openGrowingTown();
  const life = await lives();
  const gate = await telegram.faults.hold({ method: DRAFT, at: "request", times: 1 });
  life.grow("Once");
  await life.passes(FIRST_MS);
  await gate.reached();
  const answering = life.answers("Once upon a time");
  await life.passes(1_000);
  await answering;
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["Once upon a time"]);
  await gate.cut();
});
