import { expect, test } from "vitest";
import { BOT_ID, openDiscord } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const CALL = `<@${BOT_ID}>`;

/** A bot whose agent says what it heard. */
async function openChat(account: object = {}) {
  const agent = createScriptedAgent((turn) => async () => {
    await turn.say(`heard: ${turn.input.input.map((message) => message.text).join("\n")}`);
    return undefined;
  });
  const town = await openDiscord(account);
  const main = { runtime: "scripted", default: true } as const;
  const config = { agents: { main }, channels: town.channels };
  const grove = await openGrove({ runtimes: agent.runtimes, config, env: town.env });
  return { ...town, agent, grove };
}

test("a person mentions the bot in a channel and is answered there", async () => {
  const { inGeneral, grove } = await openChat();
  await inGeneral.says("nothing for anybody");
  await inGeneral.says(`${CALL} how many trees?`);
  await inGeneral.hears("heard: how many trees?", { once: true });
  await grove.rests();
  expect(await inGeneral.messages()).toHaveLength(1);
});

test("a person writes in a direct chat and is answered there", async () => {
  const { inDm, grove } = await openChat();
  await inDm.says("how many trees?");
  await inDm.hears("heard: how many trees?", { once: true });
  await grove.rests();
  const sessions = await grove.read((read) => read.sessions({ limit: 9 }));
  expect(sessions.map(({ key }) => key)).toEqual(["agent:main:discord:dm:100000000000000007"]);
});

test("after a restart the conversation goes on, and what was said meanwhile is answered once", async () => {
  const { inGeneral, inDm, grove } = await openChat();
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
