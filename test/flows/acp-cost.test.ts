import { expect, test } from "vitest";
import { createAcpAgent } from "../stage/acp-agent.ts";
import { type Grove, openGrove } from "../stage/grove.ts";

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
