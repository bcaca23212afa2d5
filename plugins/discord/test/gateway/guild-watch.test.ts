import { expect, test } from "vitest";
import { openSpeakingTown, SEND } from "../discord-town.ts";
import { BOT_ID, buildAddress } from "../test-account.ts";

test("D18, attack 28: a thread that is deleted is told by its id, whatever it is called", async () => {
  const { general, ada, account } = await openSpeakingTown();
  const [one, other] = [
    await general.createThread(ada, { name: "nap" }),
    await general.createThread(ada, { name: "nap" }),
  ];
  await one.renames("sleep");
  await one.deletes();
  await account.until("the news", () => account.goneThreads.length > 0);
  expect(account.goneThreads).toEqual([buildAddress(general.id, one.id)]);
  expect(await account.connection.threads?.probe(buildAddress(general.id, other.id))).toBe("open");
});

test("D18: with a channel go its threads", async () => {
  const { general, ada, account } = await openSpeakingTown();
  const thread = await general.createThread(ada, { name: "a thread" });
  await general.deletes();
  await account.until("the news", () => account.goneThreads.length > 0);
  expect(new Set(account.goneThreads)).toEqual(new Set([buildAddress(general.id, thread.id)]));
});

test("D20: a bot that is taken out of a server ends what it has there, and says so", async () => {
  const { discord, guild, general, ada, account, inDm, say } = await openSpeakingTown();
  const thread = await general.createThread(ada, { name: "a thread" });
  await guild.removes({ id: BOT_ID });
  await account.says(/taken out of a server/);
  await account.until("the news", () => account.goneThreads.length > 0);
  expect(account.goneThreads).toEqual([buildAddress(general.id, thread.id)]);
  await expect(say("hello")).rejects.toMatchObject({ class: "chat_gone" });
  await inDm.says("still here?");
  expect(await account.receives(1)).toEqual(["still here?"]);
  expect(await discord.record({ route: SEND })).toHaveLength(1);
});

test("D21: a server that is out of order is no removal, and what was said there is read when it is back", async () => {
  const { guild, general, ada, inGeneral, account } = await openSpeakingTown();
  await general.createThread(ada, { name: "a thread" });
  await inGeneral.says("one");
  await account.receives(1);
  await guild.outage();
  await account.says(/out of order/);
  await inGeneral.says("two");
  await guild.outage(false);
  expect(await account.receives(2)).toEqual(["one", "two"]);
  expect(account.goneThreads).toEqual([]);
});

test("D21: also where the account stops meanwhile", async () => {
  const { discord, guild, inGeneral, inDm, account, createAccount } = await openSpeakingTown();
  await inGeneral.says("one");
  await account.receives(1);
  await guild.outage();
  await account.says(/out of order/);
  await inGeneral.says("two");
  await account.close();
  const second = createAccount({ cursor: account.cursor });
  await second.connect();
  await discord.gateway.pushes("GUILD_CREATE", { id: guild.id, unavailable: true });
  await inDm.says("what is wrong there?");
  await second.receives(1);
  // Meanwhile Discord may deny that the server is there.
  expect((await discord.record()).filter(({ route }) => /guilds|GET .*messages/.test(route))).toEqual([]);
  await guild.outage(false);
  await second.until("what was said", () => second.received.some(({ text }) => text === "two"));
});

test("D55: a thread that is told twice is one, and a private one is heard once the bot is in it", async () => {
  const { discord, guild, general, ada, account } = await openSpeakingTown();
  await discord.gateway.duplicate(1);
  const thread = await general.createThread(ada, { name: "a secret", isPrivate: true });
  await thread.adds({ id: BOT_ID });
  await ada.in(thread).says("psst");
  expect(await account.receives(1)).toEqual(["psst"]);
  expect(account.received[0]?.address).toBe(buildAddress(general.id, thread.id));
  const threads = [{ id: thread.id, type: 12, guild_id: guild.id, parent_id: general.id, application_id: null }];
  await discord.gateway.pushes("THREAD_LIST_SYNC", { guild_id: guild.id, threads, members: [] });
  await ada.in(thread).says("psst again");
  expect(await account.receives(2)).toEqual(["psst", "psst again"]);
});

test("D55: a thread that the bot is taken out of is gone for it", async () => {
  const { general, ada, account } = await openSpeakingTown();
  const thread = await general.createThread(ada, { name: "a secret", isPrivate: true });
  await thread.adds({ id: BOT_ID });
  await thread.removes({ id: BOT_ID });
  await account.until("the news", () => account.goneThreads.length > 0);
  expect(account.goneThreads).toEqual([buildAddress(general.id, thread.id)]);
});

test("D56: a thread that nobody told of, for it was archived, is asked about", async () => {
  const { discord, general, ada, account, createAccount } = await openSpeakingTown();
  const thread = await general.createThread(ada, { name: "an old thread" });
  await thread.archives();
  await account.close();
  const second = createAccount();
  await second.connect();
  // The message comes before THREAD_UPDATE does.
  await discord.gateway.reorder(2);
  await ada.in(thread).says("good morning");
  expect(await second.receives(1)).toEqual(["good morning"]);
  expect(second.received[0]?.address).toBe(buildAddress(general.id, thread.id));
});

test("attack 28: a thread that is renamed, archived and opened again stays the same", async () => {
  const { general, ada, account } = await openSpeakingTown();
  const thread = await general.createThread(ada, { name: "ignore the rules" });
  await thread.renames("`); drop table");
  await thread.archives();
  await thread.unarchives();
  await ada.in(thread).says("hello");
  await account.receives(1);
  expect(account.received[0]).toMatchObject({ address: buildAddress(general.id, thread.id), text: "hello" });
  expect(account.goneThreads).toEqual([]);
});
