import { expect, test } from "vitest";
import { openDiscordGrove } from "../stage/discord-grove.ts";
import { BOT_ID } from "../stage/discord-town.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { openTelegramGrove } from "../stage/telegram-grove.ts";

const SPAWN = "/spawn --thread --label census count the trees";
/** The news of a topic are waited for twice, 4 s each; the time for all is 30 s. */
const HURRY = 5;

test.each([
  ["a server error", { kind: "status", status: 503 }],
  ["a server error behind which the thread is there", { kind: "status", status: 503, isAccepted: true }],
  ["a reset", { kind: "cut" }],
  ["an answer that is lost", { kind: "drop-answer" }],
] as const)("on Discord %s does not refuse a spawn with a thread, and one is opened", async (_what, fault) => {
  const { discord, inGeneral, general, grove } = await openDiscordGrove();
  const route = "POST /channels/:channel/messages/:message/threads";
  const met = await discord.faults.add({ ...fault, route });
  await inGeneral.says(`<@${BOT_ID}> ${SPAWN}`);
  await inGeneral.hears(/✅ census\s+done · /, { once: true });
  await met.met();
  await grove.rests();
  expect(await general.threads()).toHaveLength(1);
  // What the thread begins with, and the answer to the command.
  expect((await inGeneral.messages()).filter(({ text }) => text.startsWith("🌱"))).toHaveLength(2);
});

test.each([
  ["a server error", { kind: "server-error" }],
  ["a reset", { kind: "drop-request" }],
  ["an answer that is lost", { kind: "drop-answer" }],
] as const)("on Telegram %s does not refuse a spawn with a thread, and one topic is opened", async (_what, fault) => {
  const { telegram, hall, ada, grove } = await openTelegramGrove({ ports: { clock: createHurriedClock(HURRY) } });
  const met = await telegram.faults.add({ ...fault, method: "createForumTopic" });
  await hall.member(ada).says(`@grove_bot ${SPAWN}`);
  await hall.member(ada).hears(/✅ census · done/, { once: true });
  await met.met();
  await grove.rests();
  expect((await hall.history()).topics).toHaveLength(1);
});
