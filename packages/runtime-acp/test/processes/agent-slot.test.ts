import { join } from "node:path";
import { TurnDesk } from "@banyan/plugin-sdk/runtime/suite";
import { expect, onTestFinished, test } from "vitest";
import { decideLaunch } from "../../src/agents/launch-plan.ts";
import { AgentSlot } from "../../src/processes/agent-slot.ts";
import { createSystemClock } from "../desk/system-clock.ts";

const FIXTURE = join(import.meta.dirname, "../fixture/agent.ts");

test("nothing is kept of an agent that died while somebody talked with it", async () => {
  const decision = decideLaunch({
    agentId: "main",
    settings: { agent: { command: process.execPath, args: [FIXTURE] }, env: [], profile: "ask" },
    audience: "known",
    env: { PATH: process.env.PATH },
  });
  if (decision.kind !== "start") throw new Error(decision.why);
  const slot = new AgentSlot({ plan: decision.plan, cwd: import.meta.dirname, version: "0" }, () => 0);
  onTestFinished(() => slot.close());
  const host = { clock: createSystemClock(), log: new TurnDesk().log };
  const agent = await slot.sit(host, new AbortController().signal);
  expect(slot.agents).toEqual([agent]);
  agent.kill();
  await agent.gone;
  await slot.leave(agent, host);
  expect(slot.agents).toEqual([]);
});
