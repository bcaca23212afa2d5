import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";
import { BOT_ID } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const STOP = "Unknown command `/stpo`. Did you mean `/stop`? `/help` lists all commands.";

test("in the web chat an unknown command is answered with the nearest one, and a path goes to the agent", async () => {
  const agent = createListener();
  const grove = await openGrove(agent);
  const ada = grove.web("ada");
  await ada.says("/stpo");
  await ada.hears(STOP);
  await ada.says("/weather in Bergen");
  await ada.hears(
    "Unknown command `/weather`. `/help` lists all commands. To send this to the agent, start with a word instead of the slash.",
  );
  await ada.says("/etc/hosts is empty");
  await ada.hears("heard: /etc/hosts is empty");
  await grove.rests();
  expect(agent.record.attempts).toHaveLength(1);
});

test("on Telegram too, alone with the bot or in a group by its name; what is for another bot is ignored", async () => {
  const agent = createListener();
  const { telegram, env } = await openTelegram([7]);
  const config = {
    channels: { telegram: { accounts: { default: { groups: { policy: "open", requireMention: false } } } } },
  };
  const grove = await openGrove({ ...agent, env, config: { ...agent.config, ...config } });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const told = STOP.replaceAll("`", "");
  await ada.says("/stpo");
  await ada.hears(told);
  const bots = [await telegram.bot()];
  const room = await telegram.createRoom({ kind: "supergroup", title: "Grove", creator: ada, bots });
  const inRoom = room.member(ada);
  await inRoom.says("/stpo@another_bot");
  await inRoom.says("/stpo@grove_bot");
  await inRoom.hears(told, { once: true });
  await grove.rests();
  expect(agent.record.attempts).toEqual([]);
});

test("on Discord too, where the bot is mentioned", async () => {
  const { inGeneral, inDm, agent, grove } = await openDiscordGrove();
  await inGeneral.says("/stpo");
  await inGeneral.says(`<@${BOT_ID}> /stpo`);
  await inGeneral.hears(STOP, { once: true });
  await inDm.says("/stpo");
  await inDm.hears(STOP, { once: true });
  await grove.rests();
  expect(agent.record.attempts).toEqual([]);
});
