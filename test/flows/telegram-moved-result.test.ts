import { createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** A basic group with Ada and a bot, which becomes a supergroup without the bot getting the news of it. */
async function openHall() {
  const gate = createGate();
  const agent = createScriptedAgent((turn) => {
    const text = turn.input.input.map((message) => message.text).join("\n");
    if (turn.spec.sessionKey.includes(":subagent:")) return [wait(gate), ...say("42 trees")];
    return text.includes("tale") ? [...say("Once "), wait(gate), ...say("upon a time")] : say(`heard: ${text}`);
  });
  const { telegram, env } = await openTelegram([]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bots = [await telegram.bot()];
  const hall = await telegram.createRoom({ kind: "group", title: "Hall", creator: ada, bots });
  const account = { groups: { allow: [String(hall.chatId)] }, growingAnswers: "edits" };
  const config = { ...agent.config, channels: { telegram: { accounts: { default: account } } } };
  const grove = await openGrove({ env: { ...env, TELEGRAM_ALLOW_FROM: "7" }, config, runtimes: agent.runtimes });
  return {
    grove,
    hall: hall.member(ada),
    gate,
    async moves() {
      const polls = await telegram.faults.hold({ method: "getUpdates", at: "request", times: "always" });
      // The poll that is under way is not held: it brings this.
      await ada.says("ping");
      await polls.reached();
      await ada.hears("heard: ping");
      const grown = await hall.upgrades(ada);
      return grown.member(ada);
    },
  };
}

test("a result is put into the new group where its status stands in the old one, which still takes edits", async () => {
  const { hall, gate, moves } = await openHall();
  await hall.says("@grove_bot /spawn --label census x");
  await hall.hears(/^🌱 census is at work/);
  const grown = await moves();
  gate.open();
  await grown.hears(/^✅ census · done in .*\n\n42 trees$/s, { once: true });
  await grown.hears("✅ census is done: see above.", { once: true });
  expect((await hall.messages()).filter(({ text }) => text.includes("42 trees"))).toEqual([]);
});

test("an answer that began to grow in the old group ends in the new one", async () => {
  const { hall, gate, moves } = await openHall();
  await hall.says("@grove_bot tell me a tale");
  await hall.hears(/^Once ▍|^▍/);
  const grown = await moves();
  gate.open();
  await grown.hears("Once upon a time", { once: true });
  expect((await hall.messages()).filter(({ text }) => text.includes("upon"))).toEqual([]);
});
