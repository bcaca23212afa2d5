import { expect, test } from "vitest";
import { openDiscordTown } from "../discord-town.ts";
import { BOT_ID } from "../test-account.ts";

test("D45: a connection that breaks is resumed, and nothing is missed or heard twice", async () => {
  const { discord, inGeneral, createAccount } = await openDiscordTown();
  const account = createAccount();
  await account.connect();
  for (const [at, code] of [4000, 4001, 4002, 4008, undefined].entries()) {
    await discord.gateway.drop(code === undefined ? {} : { code });
    await inGeneral.says(`${at}`);
    await discord.gateway.connected();
    await account.receives(at + 1);
  }
  expect(account.received.map(({ text }) => text)).toEqual(["0", "1", "2", "3", "4"]);
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

test("where the address for resuming is gone, the session is resumed at the one for everybody", async () => {
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
  expect(second.reports.map(({ state }) => state)).toEqual(["retrying", "running"]);
});

test("what was said before the very first start is none of the bot's business", async () => {
  const { inGeneral, createAccount } = await openDiscordTown();
  await inGeneral.says(`<@${BOT_ID}> long ago`);
  const account = createAccount();
  await account.connect();
  await inGeneral.says("now");
  expect(await account.receives(1)).toEqual(["now"]);
});
