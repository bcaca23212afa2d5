import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";
import { BEN_ID, BOT_ID } from "../stage/discord-town.ts";

const CALL = `<@${BOT_ID}>`;

test("a person mentions the bot in a channel and is answered there", async () => {
  const { inGeneral, grove } = await openDiscordGrove();
  await inGeneral.says("nothing for anybody");
  await inGeneral.says(`${CALL} how many trees?`);
  await inGeneral.hears("heard: how many trees?", { once: true });
  await grove.rests();
  expect(await inGeneral.messages()).toHaveLength(1);
});

test("a person writes in a direct chat and is answered there", async () => {
  const { inDm, grove } = await openDiscordGrove();
  await inDm.says("how many trees?");
  await inDm.hears("heard: how many trees?", { once: true });
  await grove.rests();
  const sessions = await grove.read((read) => read.sessions({ limit: 9 }));
  expect(sessions.map(({ key }) => key)).toEqual(["agent:main:discord:dm:100000000000000007"]);
});

test("after a restart the conversation goes on, and what was said meanwhile is answered once", async () => {
  const { inGeneral, inDm, grove } = await openDiscordGrove();
  await inDm.says("one");
  await inDm.hears("heard: one");
  await grove.stop();
  await inDm.says("two");
  await inGeneral.says(`${CALL} three`);
  await grove.restart();
  await inDm.hears("heard: two", { once: true });
  await inGeneral.hears("heard: three", { once: true });
  await inDm.says("four");
  await inDm.hears("heard: four", { once: true });
  await grove.rests();
});

test("a reply to the bot is for it, what answers somebody else is not, and an answer shows what it answers", async () => {
  const { discord, guild, general, inGeneral, grove } = await openDiscordGrove();
  const ben = await discord.user({ id: BEN_ID, username: "ben" });
  await guild.joins(ben);
  const inGeneralBen = ben.in(general);
  const question = await inGeneral.says(`${CALL}, how many trees?`);
  const answer = await inGeneral.hears("heard: how many trees?");
  expect(answer.message.message_reference?.message_id).toBe(question);
  await inGeneral.says("lunch?");
  await inGeneralBen.says("lunch!", { replyTo: question });
  await inGeneralBen.says("and birds?", { replyTo: answer.messageId });
  await inGeneralBen.hears(/^heard: and birds\?/, { once: true });
  await grove.rests();
  expect(await inGeneral.messages()).toHaveLength(2);
});

test("an edit changes a message as long as it waits", async () => {
  const { inDm, agent, grove } = await openDiscordGrove();
  await inDm.says("dig a well");
  await grove.until("the well's turn", () =>
    agent.record.attempts.find(({ input }) => input[0]?.text === "dig a well"),
  );
  const waiting = await inDm.says("count the tres");
  await inDm.edits(waiting, "count the trees");
  await grove.until("the edit", async () => {
    const lane = await grove.read((read) =>
      read.openItems({ lane: "agent:main:discord:dm:100000000000000007", limit: 9 }),
    );
    return lane.some(({ body }) => body.includes("count the trees")) ? true : undefined;
  });
  await inDm.says("/stop");
  await inDm.hears("heard: count the trees", { once: true });
  await grove.rests();
});

test("who is not let in gets a code in a direct chat, and silence in a server that is not on the list", async () => {
  const { discord, inDm, grove } = await openDiscordGrove();
  const ben = await discord.user({ id: BEN_ID, username: "ben" });
  const elsewhere = await discord.createGuild({ name: "Elsewhere", bots: [{ id: BOT_ID }], members: [ben] });
  const room = await elsewhere.createChannel({ name: "room" });
  await ben.in(room).says(`${CALL} hello?`);
  await ben.dm().says("hello?");
  await ben.dm().hears(/Your code is/);
  await inDm.says("hello");
  await inDm.hears("heard: hello");
  await grove.rests();
  expect(await room.messages()).toEqual([]);
  expect(grove.log.join()).toContain(`"guild":"${elsewhere.id}"`);
});

test("a role's members and a thread are talked with by the agents that the routes name", async () => {
  const town = await openDiscordGrove({}, {});
  const { guild, general, ada, inGeneral, grove } = town;
  const scout = await guild.createRole("scout");
  await guild.joins(ada, { roles: [scout] });
  const main = { runtime: "scripted", default: true };
  const routes = [{ agent: "woods", match: { channel: "discord", guild: guild.id, roles: [scout] } }];
  await grove.restart({
    config: { agents: { main, woods: { runtime: "scripted" } }, routes, channels: town.channels },
  });
  await inGeneral.says(`${CALL} who answers?`);
  await inGeneral.hears("heard: who answers?");
  const sessions = await grove.read((read) => read.sessions({ limit: 9 }));
  expect(sessions.map(({ key }) => key)).toEqual([`agent:woods:discord:channel:${general.id}`]);
});
