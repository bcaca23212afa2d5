import { readAll } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it, test } from "vitest";
import { CostMeter } from "../../src/turns/cost-meter.ts";
import { AgentDesk } from "../desk/agent-desk.ts";

it.each([
  ["nothing was told", undefined, [], undefined, undefined],
  ["all of a new session", undefined, [0.5], 0.5, 0.5],
  ["what came on top", 2, [2.5, 3], 1, 3],
  ["nothing came on top", 2, [2], 0, 2],
  ["an agent that counts from nothing again", 2, [0.25, 0.5], 0.5, 0.5],
])("a turn has cost: %s", (_what, before, totals, costUsd, spentUsd) => {
  const meter = new CostMeter(before);
  for (const total of totals) meter.note(total);
  expect([meter.costUsd, meter.spentUsd]).toEqual([costUsd, spentUsd]);
});

/** The usage that goes with the end of a turn. */
async function spends(desk: AgentDesk, text: string, runtime = desk.runtime) {
  const session = await desk.open({}, runtime);
  const events = await readAll(session.run(desk.turns.turn(text)));
  await session.close();
  const told = events.filter((event) => event.type === "usage").length;
  const end = events.at(-1);
  return { told, usage: end?.type === "end" ? end.usage : undefined };
}

test("what an agent counts of its session is the cost of each turn, while it works and at its end, over a restart", async () => {
  const desk = new AgentDesk({ args: ["--resume", "--usage"] });
  expect(await spends(desk, "cost 0.25;cost 0.5")).toEqual({
    told: 3,
    usage: { inputTokens: 12, outputTokens: 3, costUsd: 0.5 },
  });
  expect((await spends(desk, "cost 0.75")).usage?.costUsd).toBe(0.25);
  await desk.runtime.close?.();
  const next = desk.createRuntime();
  expect((await spends(desk, "cost 1.75", next)).usage?.costUsd).toBe(1);
  expect((await spends(desk, "say nothing of it", next)).usage).toEqual({ inputTokens: 12, outputTokens: 3 });
});

test("a cost in another currency is no cost that is known", async () => {
  expect((await spends(new AgentDesk(), "cost 0.25 credits")).usage).toBeUndefined();
});
