import { expect, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { type Grove, openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";

/** A gateway lets a turn end for ten seconds before it stops. */
const HURRY = 5;
const WEB = "agent:main:webchat:dm:ada";

async function readEntry(grove: Grove) {
  const row = await grove.read((read) => read.session(WEB));
  return JSON.parse(row?.body ?? "{}");
}

test("the cost that a foreign agent reports of its session is that of the conversation, once, also over a restart", async () => {
  const agent = createAcpAgent(["--resume"]);
  const prices = { small: { input: 1_000, output: 1_000 } };
  const grove = await openGrove({ config: { ...agent.config, prices } });
  const ada = grove.web("ada");
  await ada.says("cost 0.5;say one");
  await ada.hears("one");
  await ada.says("cost 0.75;say two");
  await ada.hears("two");
  await grove.rests();
  expect(await readEntry(grove)).toMatchObject({ estimatedCostUsd: 0.75, acp: { spentUsd: 0.75, state: "idle" } });
  await grove.restart();
  await ada.says("cost 1;say three");
  await ada.hears("three");
  await grove.rests();
  expect(await readEntry(grove)).toMatchObject({ estimatedCostUsd: 1 });
});

test("a conversation whose agent reports too much is stopped where its budget says so", async () => {
  const agent = createAcpAgent();
  const main = { ...agent.config.agents.main, budgets: { costUsdPerSession: 1 } };
  const grove = await openGrove({ config: { agents: { main } } });
  const ada = grove.web("ada");
  await ada.says("cost 1.5;wait");
  await ada.hears(/budget|used up|limit/i);
  expect((await readEntry(grove)).estimatedCostUsd).toBe(1.5);
});

test("what a turn has cost that was stopped, given back or whose agent died is counted once, whatever dies behind it", async () => {
  const agent = createAcpAgent(["--resume"]);
  const grove = await openGrove({ config: agent.config, ports: { clock: createHurriedClock(HURRY) } });
  const ada = grove.web("ada");
  const prompted = (times: number) =>
    grove.until("a prompt", () => agent.journal().filter((line) => "prompt" in line).length === times || undefined);
  const reads = async (costUsd: number) => {
    await grove.rests();
    expect(await readEntry(grove)).toMatchObject({ estimatedCostUsd: costUsd, acp: { spentUsd: costUsd } });
  };
  await ada.says("cost 0.5;say at work;wait");
  await prompted(1);
  await ada.says("/stop");
  await ada.hears(/^Stopped\./);
  await reads(0.5);
  await grove.restart();
  await ada.says("cost 0.75;say two");
  await ada.hears("two");
  await reads(0.75);
  await ada.says("cost 1;die");
  await ada.hears(/in the middle of its answer/);
  await reads(1);
  await ada.says("cost 1.5;say three;wait");
  await prompted(4);
  await grove.restart();
  // Run again in the agent's session, which tells the same total.
  await prompted(5);
  await ada.says("/stop");
  await ada.hears(/^Stopped\./);
  await reads(1.5);
});
