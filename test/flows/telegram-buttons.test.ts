import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const NOTHING_LEFT = /^Nothing to send again: no message of census has failed\.$/;

/** A hall where Ada (7) and Bob (8) call the bot; a sub-agent's result takes several messages. */
async function openHall() {
  const agent = createScriptedAgent((turn) => async () => {
    const text = turn.input.input.map((message) => message.text).join("\n");
    await turn.say(
      text.startsWith("count") ? Array.from({ length: 700 }, (_, tree) => `tree ${tree}`).join("\n") : `heard: ${text}`,
    );
    return undefined;
  });
  const { telegram, env } = await openTelegram([7]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  const people = { creator: ada, members: [bob], bots: [await telegram.bot()] };
  const hall = await telegram.createRoom({ kind: "group", title: "Hall", ...people });
  const account = { groups: { allow: [String(hall.chatId)] } };
  const channels = { telegram: { accounts: { default: account } } };
  const grove = await openGrove({ runtimes: agent.runtimes, config: { ...agent.config, channels }, env });
  return { telegram, grove, ada, bob, hall };
}

test("below a result in several messages is a button that tries again, for the one who asked, also after a restart", async () => {
  const { grove, ada, bob, hall } = await openHall();
  const [adaThere, bobThere] = [hall.member(ada), hall.member(bob)];
  await adaThere.says("/spawn@grove_bot --label census count the trees");
  await adaThere.hears(/tree 699$/);
  await grove.rests();
  expect((await bobThere.presses("Try again"))?.text).toBe("This button is for the one who asked.");
  expect((await adaThere.presses("Try again"))?.text).toBe("On it.");
  await adaThere.hears(NOTHING_LEFT);
  await grove.restart();
  await adaThere.presses("Try again");
  await adaThere.hears(NOTHING_LEFT);
  await grove.rests();
});

test("attack 27: a double click does nothing twice, and a made-up button nothing at all", async () => {
  const { grove, ada } = await openHall();
  await ada.says("/spawn --label census count the trees");
  await ada.hears(/tree 699$/);
  await grove.rests();
  const before = (await ada.messages()).filter(({ text }) => text.includes("tree 0\n")).length;
  await Promise.all([ada.presses("Try again"), ada.presses("Try again")]);
  await ada.hears(NOTHING_LEFT);
  await ada.hears(NOTHING_LEFT);
  expect((await ada.presses("Try again", { data: "kuanything" }))?.text).toMatch(/none of mine/);
  await grove.rests();
  expect((await ada.messages()).filter(({ text }) => text.includes("tree 0\n"))).toHaveLength(before);
});
