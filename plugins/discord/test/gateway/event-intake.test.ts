import { expect, test } from "vitest";
import { openSpeakingTown, type SpeakingTown } from "../discord-town.ts";

/** Says something and waits until it is heard: what came before is done by then. */
async function hearsStill({ inGeneral, account }: SpeakingTown): Promise<readonly string[]> {
  await inGeneral.says("and now?");
  await account.until("what is said next", () => account.received.some(({ text }) => text === "and now?"));
  return account.received.map(({ text }) => text);
}

test("D53: the bot does not hear itself, and other bots are told apart", async () => {
  const town = await openSpeakingTown();
  const { discord, guild, general, account } = town;
  const other = await discord.addBot({ token: "MTAwMA.Other1.other-secret", username: "parrot" });
  await guild.adds(other);
  await town.say("my own words");
  await discord.writer(other).in(general).says("polly");
  expect(await hearsStill(town)).toEqual(["polly", "and now?"]);
  expect(account.received.map(({ sender }) => sender.isBot)).toEqual([true, undefined]);
});

test("D54: what Discord writes by itself is nobody's message", async () => {
  const town = await openSpeakingTown();
  const { general, ada, inGeneral, discord, guild } = town;
  const messageId = await inGeneral.says("a thought");
  await general.createThread(ada, { name: "a thread", messageId });
  await general.createThread(ada, { name: "another thread" });
  const author = { id: ada.id, username: "ada" };
  for (const type of [6, 7]) await inGeneral.causes(type);
  for (const type of [18, 21, 24, 46, 999]) {
    const told = { id: `16000000000000000${type}`, channel_id: general.id, guild_id: guild.id, type, author };
    await discord.gateway.pushes("MESSAGE_CREATE", { ...told, content: "joined" });
  }
  expect(await hearsStill(town)).toEqual(["a thought", "and now?"]);
});

test("D57: an edit is heard with its time, and a card that was found for a link is no edit", async () => {
  const town = await openSpeakingTown();
  const { inGeneral, general, discord, account } = town;
  const id = await inGeneral.says("see https://example.org");
  await inGeneral.unfurls(id, { title: "Example", description: "a page", url: "https://example.org" });
  await discord.gateway.pushes("MESSAGE_UPDATE", { id, channel_id: general.id });
  await inGeneral.edits(id, "see above");
  expect(await hearsStill(town)).toEqual(["see https://example.org", "see above", "and now?"]);
  expect(account.received.map((message) => [message.id === id, message.editedAt !== undefined])).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});

test.each([
  ["an event of no known kind", "SOMETHING_NEW", { anything: [null] }],
  ["a message that is nothing", "MESSAGE_CREATE", null],
  ["a message without ids", "MESSAGE_CREATE", { content: "who am I?", author: null }],
  ["a message whose id is none", "MESSAGE_CREATE", { id: "first", channel_id: "1", author: { id: "2" }, content: "x" }],
  ["a message whose ids are numbers", "MESSAGE_CREATE", { id: 1, channel_id: 2, author: { id: 3 }, content: "x" }],
  ["an edit without ids", "MESSAGE_UPDATE", {}],
  ["an interaction that is nothing", "INTERACTION_CREATE", null],
  ["an interaction of no known kind", "INTERACTION_CREATE", { id: "1", type: 99, data: null }],
  ["a channel of nulls", "CHANNEL_UPDATE", { id: "7", type: 0, guild_id: null, parent_id: null, application_id: null }],
  ["a thread of nulls", "THREAD_CREATE", { id: "7", type: 11, guild_id: "8", parent_id: null, application_id: null }],
  ["a guild that is nothing", "GUILD_CREATE", { id: null, channels: null, threads: [null], roles: [null] }],
  ["a guild that goes without a name", "GUILD_DELETE", null],
  ["a list that is none", "THREAD_LIST_SYNC", { guild_id: "1", threads: null }],
  ["members that are none", "THREAD_MEMBERS_UPDATE", null],
])("D59: %s stops nothing", async (_, type, data) => {
  const town = await openSpeakingTown();
  await town.discord.gateway.pushes(type, data);
  expect(await hearsStill(town)).toEqual(["and now?"]);
  expect(town.account.reports).toEqual([]);
});

test("a channel that Discord never lets the bot look at is heard all the same, and holds up nobody", async () => {
  const { discord, guild, ada, inGeneral, account } = await openSpeakingTown();
  const body = { message: "You lack permissions to perform that action", code: 50013 };
  await discord.faults.add({ kind: "status", route: "GET /channels/:channel", status: 403, body, times: "always" });
  const author = { id: ada.id, username: "ada" };
  const where = { id: "1600000000000000001", channel_id: "1600000000000000009", guild_id: guild.id };
  await discord.gateway.pushes("MESSAGE_CREATE", { ...where, author, content: "psst", type: 0 });
  await inGeneral.says("hello");
  expect(await account.receives(2)).toEqual(["psst", "hello"]);
});

test("D57: an edit that does not say its server is heard in its channel", async () => {
  const { discord, general, ada, inGeneral, account } = await openSpeakingTown();
  const id = await inGeneral.says("one");
  await account.receives(1);
  const author = { id: ada.id, username: "ada" };
  const edit = { id, channel_id: general.id, author, content: "two", edited_timestamp: new Date().toISOString() };
  await discord.gateway.pushes("MESSAGE_UPDATE", edit);
  await account.receives(2);
  expect(new Set(account.received.map(({ address }) => address)).size).toBe(1);
});

test("D59: nulls in a message leave the rest of it", async () => {
  const town = await openSpeakingTown();
  const { discord, general, guild, ada } = town;
  await discord.gateway.pushes("MESSAGE_CREATE", {
    id: "1600000000000000001",
    channel_id: general.id,
    guild_id: guild.id,
    author: { id: ada.id, username: null, global_name: null },
    member: null,
    content: "half of me",
    mentions: null,
    embeds: null,
    attachments: [null],
    application_id: null,
    poll: null,
    flags: null,
    type: 0,
  });
  expect(await hearsStill(town)).toEqual(["half of me", "and now?"]);
});

test("what cannot be stored is given again, in its order, and nothing is passed over", async () => {
  const refused: string[] = [];
  const town = await openSpeakingTown({
    store: async (messages) => {
      const [text] = messages.map((message) => message.text);
      if (text === undefined || refused.length === 2) return;
      refused.push(text);
      throw new Error("the disk is full");
    },
  });
  const { inGeneral, account } = town;
  await inGeneral.says("one");
  await inGeneral.says("two");
  await account.reported("retrying");
  for (const delayMs of [500, 1_000]) {
    await account.clock.awaitAlarm(delayMs);
    account.passTime(delayMs);
  }
  expect(await account.receives(2)).toEqual(["one", "two"]);
  await account.reported("running");
});

test("D58: what waits is stored in the order in which it was said", async () => {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const target = { name: "target", summary: "which one", isRequired: true, kind: "target" } as const;
  const { discord, inGeneral, account } = await openSpeakingTown({
    commands: [{ name: "kill", summary: "stops one", isDmOnly: false, parameters: [target] }],
    store: async (messages) => {
      if (!messages.some(({ text }) => text === "first")) return;
      begun.resolve();
      await gate.promise;
    },
  });
  await account.says(/slash commands are registered/);
  await inGeneral.says("first");
  await begun.promise;
  await discord.gateway.reorder(2);
  for (const text of ["second", "third", "fourth"]) await inGeneral.says(text);
  // It is answered at once, and so tells that all before it is there.
  await inGeneral.completes("kill", "target", "");
  gate.resolve();
  expect(await account.receives(4)).toEqual(["first", "second", "third", "fourth"]);
});
