import { say } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const FLOOD_MESSAGES = 10_000;
const LANE_CAP_MESSAGES = 1_000;
/** Of the one who floods, between another person's message and its turn: what the machine does at the same time. */
const MOST_TURNS_BETWEEN = 20;
const EVERY_STATE = ["pending", "sending", "sent", "stuck"] as const;
const MEGABYTE = 1024 * 1024;

test("attack 22: ten thousand messages of one person delay nobody else's answer, fill no memory, and are told of once", async () => {
  const { telegram, env } = await openTelegram([7, 8]);
  const turns: string[] = [];
  const agent = createScriptedAgent((turn) => {
    turns.push(turn.spec.sessionKey);
    return say(`heard: ${turn.input.input[0]?.text}`);
  });
  const grove = await openGrove({ env, ...agent });
  const eve = await telegram.user({ id: 7, firstName: "Eve" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  let before = 0;
  grove.open.gateway.hooks.message_received.tapPromise("witness", async ({ sessionKey }) => {
    if (sessionKey.endsWith(":8")) before = turns.length;
  });
  const gate = await telegram.faults.hold({ method: "getUpdates", times: 1 });
  await gate.reached(1);
  const heapBefore = process.memoryUsage().heapUsed;
  await telegram.sayAll(Array.from({ length: FLOOD_MESSAGES }, (_, index) => ({ user: eve, text: `flood ${index}` })));
  await bob.says("hello");
  await gate.release();
  await bob.hears("heard: hello");
  const between = turns.indexOf("agent:main:telegram:dm:8") - before;
  expect(between).toBeGreaterThanOrEqual(0);
  expect(between).toBeLessThan(MOST_TURNS_BETWEEN);
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(200 * MEGABYTE);
  expect((await grove.read((read) => read.lane("agent:main:telegram:dm:7"))).waiting).toBeLessThanOrEqual(
    LANE_CAP_MESSAGES,
  );
  const deliveries = await grove.read((read) => read.deliveries({ states: [...EVERY_STATE], limit: 10_000 }));
  const notices = deliveries.filter(({ kind }) => kind === "notice");
  // Most are told the agent in short; whoever finds the lane full is told so once a minute.
  expect(notices.length).toBeLessThanOrEqual(1);
  for (const { address, body } of notices)
    expect([address, body]).toEqual(["telegram/default/dm/7", expect.stringContaining("messages already wait here")]);
});
