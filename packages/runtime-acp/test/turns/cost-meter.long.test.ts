import type { Usage } from "@banyan/plugin-sdk";
import { readAll } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it, test } from "vitest";
import { CostMeter } from "../../src/turns/cost-meter.ts";
import { PromptUsage } from "../../src/turns/prompt-usage.ts";
import { AgentDesk } from "../desk/agent-desk.ts";

it.each([
  ["nothing was told", 2, [], {}],
  ["all of a new session", 0, [0.5], { costUsd: 0.5, spentUsd: 0.5 }],
  ["what came on top", 2, [2.5, 3], { costUsd: 1, spentUsd: 3 }],
  ["nothing came on top", 2, [2], { costUsd: 0, spentUsd: 2 }],
  ["an agent that counts from nothing again", 2, [0.25, 0.5], { costUsd: 0.5, spentUsd: 0.5 }],
  ["a session of which nobody has kept what it had cost", undefined, [7], { spentUsd: 7 }],
  ["the same, when it goes on", undefined, [7, 7.5], { costUsd: 0.5, spentUsd: 7.5 }],
  ["told late, and not counted yet", 2, [{ late: 2.5 }], { costUsd: 0.5, spentUsd: 2.5 }],
  ["told late, and counted long since", 2, [3, { late: 2.5 }, { late: 3 }], { costUsd: 1, spentUsd: 3 }],
  ["told late of what is counted alone", 2, [{ late: 2 }, { late: 1 }], {}],
] as const)("a turn has cost: %s", (_what, before, totals, report) => {
  const meter = new CostMeter(before);
  for (const total of totals) {
    if (typeof total === "number") meter.note(total);
    else meter.note(total.late, true);
  }
  expect(meter.report).toEqual(report);
});

/** The usage that goes with the end of a turn. */
async function spends(desk: AgentDesk, text: string, runtime = desk.runtime) {
  const session = await desk.open({}, runtime);
  const events = await readAll(session.run(desk.turns.turn(text)));
  await session.close();
  const told = events.filter((event) => event.type === "usage").length;
  const end = events.at(-1);
  if (end?.type === "end") desk.count(end.usage);
  return { told, usage: end?.type === "end" ? end.usage : undefined };
}

test("what an agent counts of its session is the cost of each turn, while it works and at its end, over a restart", async () => {
  const desk = new AgentDesk({ args: ["--resume", "--usage"] });
  expect(await spends(desk, "cost 0.25;cost 0.5")).toEqual({
    told: 3,
    usage: { inputTokens: 12, outputTokens: 3, costUsd: 0.5, spentUsd: 0.5 },
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

test("what is told of the cost late is counted with the next turn, once, whether a prompt is under way or not", async () => {
  for (const echo of [[], ["--echo"]]) {
    const desk = new AgentDesk({ args: ["--modes", "work", ...echo], settings: { mode: "work" } });
    expect((await spends(desk, "cost 0.5;between-cost 0.75")).usage).toEqual({ costUsd: 0.5, spentUsd: 0.5 });
    expect((await spends(desk, "say nothing;late-cost 1")).usage).toEqual({ costUsd: 0.25, spentUsd: 0.75 });
    expect((await spends(desk, "cost 1.5;late-cost 1.25")).usage).toEqual({ costUsd: 0.75, spentUsd: 1.5 });
    // A total that is lower, and says nothing of being late, is that of an agent which counts from nothing.
    const costUsd = echo.length === 0 ? 1.25 + 0.75 : 0.5;
    expect((await spends(desk, "cost 2")).usage).toEqual({ costUsd, spentUsd: 2 });
  }
});

test("a cost that comes behind the answer takes nothing of the tokens", () => {
  const told: Usage[] = [];
  const usage = new PromptUsage({ reportUsage: (each) => void told.push(each) }, new CostMeter(1));
  usage.noteAnswer({ stopReason: "end_turn", usage: { inputTokens: 12, outputTokens: 3 } });
  usage.noteCost(1.5, false);
  expect(told.at(-1)).toEqual({ inputTokens: 12, outputTokens: 3, costUsd: 0.5, spentUsd: 1.5 });
});

test("a copy of a session costs what comes on top of its parent's, as far as that is known, and one that counts anew all", async () => {
  const desk = new AgentDesk({ args: ["--fork", "--resume"] });
  await spends(desk, "cost 0.5");
  const parent = desk.kept.at(-1);
  if (parent === undefined) throw new Error("nothing was kept");
  await spends(desk, "cost 0.75");
  const fork = async (text: string, at: number, runtime = desk.runtime) => {
    const takesUp = { way: "fork", agentSessionId: parent.identity.agentSessionId ?? "" } as const;
    const acp = { ...parent, identity: { state: "pending", source: "event", lastUpdatedAt: 0 }, takesUp } as const;
    const { turnId: _, ...begun } = acp;
    const sessionId = `5f0c0000-0000-4000-8000-00000000001${at}`;
    const child = { sessionKey: `agent:main:subagent:${at}`, sessionId, acp: begun };
    const session = await desk.open(child, runtime);
    const end = (await readAll(session.run(desk.turns.turn(text)))).at(-1);
    await session.close();
    return end?.type === "end" ? end.usage?.costUsd : undefined;
  };
  expect(await fork("cost 1", 1)).toBe(0.25);
  expect(await fork("cost 0.25", 2)).toBe(0.25);
  await desk.runtime.close?.();
  expect(await fork("cost 1", 3, desk.createRuntime())).toBe(0.5);
});
