import type { RunEvent, Usage } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { ask, createGate, spawn } from "./tools/tool-desk.ts";
import { TreeDesk } from "./tree-desk.ts";

const USAGE: Usage = { inputTokens: 1_000, outputTokens: 200, cacheRead: 50, cacheWrite: 7, costUsd: 0.0021 };

/** Agents whose turns all use so much, but for those of people. */
async function openDesk(usage: Usage | undefined = USAGE): Promise<TreeDesk> {
  const desk = new TreeDesk();
  const { play } = desk.runtime;
  desk.runtime.play = async function* (turn): AsyncGenerator<RunEvent> {
    const isPersons = turn.input.input.some(({ kind }) => kind === "message");
    for await (const event of play(turn)) {
      yield event.type === "end" && usage !== undefined && !isPersons ? { ...event, usage } : event;
    }
  };
  return desk.start();
}

describe("what a sub-agent has used", () => {
  it("is told to who asked for it, with how long it took", async () => {
    const desk = await openDesk();
    const gate = createGate();
    const told: object[] = [];
    desk.plays(/“docs”/, ({ input, text }) => {
      told.push(input.input[0]?.completion ?? {});
      return text.split("\n").at(-1) ?? "";
    });
    await spawn(desk, "docs", gate.player);
    await desk.later(42_000);
    gate.open("12 files");
    await desk.rest();
    expect(told).toMatchObject([{ outcome: "done", durationMs: 42_000, totalTokens: 1_200, costUsd: 0.0021 }]);
    expect(desk.heard().at(-1)).toBe("42 s · 1200 tokens · $0.0021");
  });

  it("is told to the person who asked for it", async () => {
    const desk = await openDesk();
    const gate = createGate();
    desk.plays(/^work/, gate.player);
    await desk.says("/spawn --label docs work");
    await desk.later(42_000);
    gate.open("12 files");
    await desk.rest();
    expect(desk.heard().at(-1)).toBe("✅ **docs** · done in 42 s · 1200 tokens · $0.0021\n\n12 files");
  });

  it("is not guessed at where its runtime does not say", async () => {
    const desk = await openDesk({});
    desk.plays(/^work/, () => "12 files");
    await desk.says("/spawn --label docs work");
    expect(desk.heard().at(-1)).toBe("✅ **docs** · done in 0.0 s\n\n12 files");
    const { runs } = await ask(desk, "subagents", { action: "list" });
    expect(runs?.[0]).not.toHaveProperty("tokens");
  });

  it("is listed while it is at work and when it has ended, all its turns together", async () => {
    const desk = await openDesk();
    const gate = createGate();
    desk.plays(/^below/, gate.player);
    desk.plays(/“below”/, () => "all is done");
    const list = async () => (await ask(desk, "subagents", { action: "list" })).runs;
    await spawn(desk, "top", async ({ call }) => {
      await call("sessions_spawn", { task: "below", label: "below" });
      return "I wait";
    });
    const [top, below] = (await list()) ?? [];
    expect(top).toMatchObject({ label: "top", state: "waiting", tokens: 1_200 });
    expect(below).toMatchObject({ label: "below", state: "running" });
    expect(below).not.toHaveProperty("tokens");
    gate.open();
    await desk.rest();
    expect(await list()).toMatchObject([
      { label: "top", state: "done", tokens: 2_400 },
      { label: "below", state: "done", tokens: 1_200 },
    ]);
  });

  it("is told of one that was stopped, too", async () => {
    const desk = await openDesk();
    desk.plays(/^below/, createGate().player);
    await spawn(desk, "top", async ({ call }) => {
      await call("sessions_spawn", { task: "below", label: "below" });
      return "I wait";
    });
    await desk.later(3_000);
    await ask(desk, "subagents", { action: "kill", target: "top" });
    const [top] = await desk.runs();
    expect(JSON.parse(top?.result ?? "{}")).toMatchObject({
      outcome: "killed",
      durationMs: 3_000,
      totalTokens: 1_200,
      costUsd: 0.0021,
    });
  });

  it("stands in the status of its session, with how long it ran", async () => {
    const desk = await openDesk();
    const gate = createGate();
    const { key } = await spawn(desk, "docs", gate.player);
    await desk.later(42_000);
    gate.open("12 files");
    await desk.rest();
    await ask(desk, "sessions_send", { sessionKey: key, message: "and the tests?" });
    expect(await ask(desk, "session_status", { sessionKey: key })).toMatchObject({
      entry: { status: "done", runtimeMs: 42_000 },
      usage: {
        inputTokens: 2_000,
        outputTokens: 400,
        totalTokens: 2_400,
        cacheRead: 100,
        cacheWrite: 14,
        estimatedCostUsd: 0.0042,
      },
    });
  });
});
