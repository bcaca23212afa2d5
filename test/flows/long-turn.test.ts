import { createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createStandingClock } from "../stage/hurried-clock.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const KEY = "agent:main:telegram:dm:7";
const STILL = "Still working on your earlier message. /stop ends it.";

test("who waits behind a turn without end is told once, also over a restart; then it is stopped, which is said, and the next one answered", async () => {
  const clock = createStandingClock();
  const agent = createScriptedAgent(
    ({ input }) => {
      const [message] = input.input;
      return message?.text === "hang" ? [wait(createGate())] : say(`heard: ${message?.text}`);
    },
    { isDeaf: true },
  );
  const { telegram, env } = await openTelegram([7]);
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const grove = await openGrove({ env, config: agent.config, runtimes: agent.runtimes, ports: { clock } });
  await ada.says("hang");
  await grove.until("the turn to begin", () => agent.record.attempts[0]);
  await ada.says("and me?");
  await grove.until("the second message to wait", () =>
    grove.read(async (read) => ((await read.lane(KEY)).waiting === 1 ? true : undefined)),
  );
  clock.advance(60_000);
  await ada.hears(STILL);
  const restarting = grove.restart();
  await grove.until("the stop to wait for the turn", () => (clock.waits.includes(10_000) ? true : undefined));
  clock.advance(10_000);
  await restarting;
  await grove.until("the turn to begin again", () => agent.record.attempts[1]);
  clock.advance(540_000);
  clock.advance(60_000);
  await ada.hears(/^⚠ The agent could not finish: it neither spoke nor called a tool for 10 min and was stopped/);
  await ada.hears("heard: and me?");
  await grove.rests();
  expect((await ada.messages()).filter(({ text }) => text === STILL)).toHaveLength(1);
});
