import type { DiscordEmulator } from "@banyan/emulator-discord";
import { expect, test } from "vitest";
import { openDiscordTown, openSpeakingTown } from "../discord-town.ts";
import { BOT_ID } from "../test-account.ts";

async function countSessions({ discord }: { readonly discord: DiscordEmulator }): Promise<number> {
  return (await discord.bot()).sessions.length;
}

test("D45: a connection that breaks is resumed, and nothing is missed or heard twice", async () => {
  const { discord, inGeneral, createAccount } = await openDiscordTown();
  const account = createAccount();
  await account.connect();
  for (const [at, code] of [4000, 4001, 4002, undefined].entries()) {
    await discord.gateway.drop(code === undefined ? {} : { code });
    await inGeneral.says(`${at}`);
    await discord.gateway.connected();
    await account.receives(at + 1);
  }
  expect(account.received.map(({ text }) => text)).toEqual(["0", "1", "2", "3"]);
});

test("D46, D50: where the session is gone, what was said meanwhile is read", async () => {
  const { discord, inGeneral, inDm, createAccount } = await openDiscordTown();
  const account = createAccount();
  await account.connect();
  await inGeneral.says("one");
  await inDm.says("two");
  await account.receives(2);
  await discord.gateway.refuseResume();
  await discord.gateway.drop();
  await inGeneral.says("three");
  await inDm.says("four");
  const texts = await account.receives(4);
  expect(new Set(texts)).toEqual(new Set(["one", "two", "three", "four"]));
});

test("D50: a new life resumes what the last one had stored; where that is forgotten it reads the gap", async () => {
  const { discord, inGeneral, inDm, general, ada, createAccount } = await openDiscordTown();
  const first = createAccount();
  await first.connect();
  await inGeneral.says("one");
  await inDm.says("hello");
  await first.receives(2);
  await first.close();
  await inGeneral.says("two");
  const second = createAccount({ cursor: first.cursor });
  await second.connect();
  expect(await second.receives(1)).toEqual(["two"]);
  await second.close();
  await discord.gateway.refuseResume();
  await inGeneral.says("three");
  await inDm.says("there");
  const thread = await general.createThread(ada, { name: "a thread" });
  await ada.in(thread).says("four");
  const third = createAccount({ cursor: second.cursor });
  await third.connect();
  await third.until("the gap", () =>
    ["three", "there", "four"].every((text) => third.received.some((one) => one.text === text)),
  );
  expect(third.received.find(({ text }) => text === "four")?.address).toMatch(/\/channel\/\d+\/\d+$/);
});

test("where the address for resuming is gone, the session is resumed at the one for everybody without a word", async () => {
  const { inGeneral, createAccount } = await openDiscordTown();
  const first = createAccount();
  await first.connect();
  await inGeneral.says("one");
  await first.receives(1);
  await first.close();
  await inGeneral.says("two");
  const gone = first.cursor?.replace(/ws:\/\/127\.0\.0\.1:\d+/, "ws://127.0.0.1:9");
  expect(gone).toContain("ws://127.0.0.1:9/");
  const second = createAccount({ cursor: gone });
  await second.connect();
  expect(await second.receives(1)).toEqual(["two"]);
  expect(second.reports).toEqual([]);
});

test("what was said before the very first start is none of the bot's business", async () => {
  const { discord, inGeneral, createAccount } = await openDiscordTown();
  await inGeneral.says(`<@${BOT_ID}> long ago`);
  // Discord tells its time in whole seconds.
  await discord.passTime(2_000);
  const account = createAccount();
  await account.connect();
  await inGeneral.says("now");
  expect(await account.receives(1)).toEqual(["now"]);
});

test("D45: a reconnect that Discord asks for resumes the session", async () => {
  const town = await openSpeakingTown();
  const { discord, inGeneral, account } = town;
  await inGeneral.says("one");
  await account.receives(1);
  await discord.gateway.reconnect();
  await discord.gateway.disconnected();
  await inGeneral.says("two");
  expect(await account.receives(2)).toEqual(["one", "two"]);
  expect(await countSessions(town)).toBe(1);
});

test.each([4007, 4009])(
  "D46: a resume that is closed with %i becomes a new session, and the gap is read",
  async (code) => {
    const { discord, inGeneral, account } = await openSpeakingTown();
    await inGeneral.says("one");
    await account.receives(1);
    await discord.gateway.refuseResume({ code });
    await discord.gateway.drop();
    await inGeneral.says("two");
    expect(await account.receives(2)).toEqual(["one", "two"]);
  },
);

test("D46: an invalid session begins anew, and the gap is read", async () => {
  const { discord, inGeneral, account } = await openSpeakingTown();
  await inGeneral.says("one");
  await account.receives(1);
  await discord.gateway.invalidate({ resumable: false });
  await discord.gateway.disconnected();
  await inGeneral.says("two");
  expect(await account.receives(2)).toEqual(["one", "two"]);
});

test.each([
  ["D45", 4003],
  ["D45", 4005],
  ["D52", 4008],
  ["D47", 1000],
  ["D47", 1001],
])("%s: after the close %i nothing is missed, whatever is left of the session", async (_, code) => {
  const { discord, inGeneral, account } = await openSpeakingTown();
  await inGeneral.says("one");
  await account.receives(1);
  await discord.gateway.drop({ code });
  await inGeneral.says("two");
  expect(await account.receives(2)).toEqual(["one", "two"]);
  expect(account.reports).toEqual([]);
});

test("D47: an account that stops leaves its session to be resumed", async () => {
  const town = await openSpeakingTown();
  await town.account.close();
  const [session, ...more] = (await town.discord.bot()).sessions;
  expect([session?.isConnected, more]).toEqual([false, []]);
  const second = town.createAccount({ cursor: town.account.cursor });
  await second.connect();
  expect((await town.discord.bot()).sessions.map(({ id }) => id)).toEqual([session?.id]);
});

test("D48: a connection without heartbeats is left, and resumed", async () => {
  const town = await openSpeakingTown({ emulator: { heartbeatIntervalMs: 60 } });
  const { discord, inGeneral, account } = town;
  await inGeneral.says("one");
  await account.receives(1);
  await discord.gateway.silenceHeartbeats();
  await discord.gateway.disconnected();
  await discord.gateway.silenceHeartbeats(false);
  await inGeneral.says("two");
  expect(await account.receives(2)).toEqual(["one", "two"]);
  expect(await countSessions(town)).toBe(1);
});

test("D49: what comes twice is given under the same id, and counts once", async () => {
  const given: string[] = [];
  const { discord, inGeneral, account } = await openSpeakingTown({
    store: async (messages) => void given.push(...messages.map(({ id }) => id)),
  });
  await discord.gateway.duplicate(2);
  const id = await inGeneral.says("one");
  await inGeneral.says("two");
  await account.until("the repeats", () => given.length === 4);
  expect(given.slice(0, 2)).toEqual([id, id]);
  expect(account.received.map(({ text }) => text)).toEqual(["one", "two"]);
});

test("D49: what was stored while its place was not is heard again, under the same id", async () => {
  const { discord, inGeneral, account, createAccount } = await openSpeakingTown();
  await inGeneral.says("one");
  await account.receives(1);
  const { cursor } = account;
  const id = await inGeneral.says("two");
  await account.receives(2);
  await account.close();
  const second = createAccount({ cursor });
  await second.connect();
  await second.receives(1);
  expect(second.received.map((message) => message.id)).toEqual([id]);
  void discord;
});

test("D50: where Discord forgot what was missed it is read: READY instead of RESUMED", async () => {
  const { discord, inGeneral, account } = await openSpeakingTown();
  await inGeneral.says("one");
  await account.receives(1);
  await discord.gateway.forgetReplay();
  await discord.gateway.drop();
  await inGeneral.says("two");
  await inGeneral.says("three");
  expect(await account.receives(3)).toEqual(["one", "two", "three"]);
});

test("D58: what comes in another order is all heard, also by a life that follows a death in between", async () => {
  const isStuck = { value: true };
  const { discord, inGeneral, account, createAccount } = await openSpeakingTown({
    store: async (messages) => {
      if (isStuck.value && messages.some(({ text }) => text === "first")) throw new Error("the disk is gone");
    },
  });
  await discord.gateway.reorder(2);
  const first = await inGeneral.says("first");
  const second = await inGeneral.says("second");
  expect(await account.receives(1)).toEqual(["second"]);
  await account.close();
  await discord.gateway.refuseResume();
  const next = createAccount({ cursor: account.cursor });
  await next.connect();
  await next.until("the first", () => next.received.some(({ text }) => text === "first"));
  // Ids tell the order, also of what is said in one millisecond.
  expect(BigInt(first)).toBeLessThan(BigInt(second));
});
