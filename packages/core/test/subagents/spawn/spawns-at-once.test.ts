import type { ToolResult } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import type { AgentConfig, SubagentsConfig } from "../../../src/config/config.ts";
import { aborted } from "../../turns/played-runtime.ts";
import { TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";

/** An agent that calls for so many at once, in one turn, before any of them is answered. */
async function spawnAtOnce(count: number, subagents: Partial<SubagentsConfig>, options: TreeDeskOptions["options"]) {
  const main: AgentConfig = { runtime: "played", workspace: "/workspace", tools: { deny: [] }, subagents };
  const desk = await new TreeDesk({ agents: { main }, options: { ...options } }).start();
  let answers: readonly ToolResult[] = [];
  desk.plays(/^work/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  desk.plays(/^go/, async ({ call }) => {
    answers = await Promise.all(
      Array.from({ length: count }, (_, at) => call("sessions_spawn", { task: `work ${at}` })),
    );
    return "asked";
  });
  await desk.says("go");
  return {
    desk,
    answers: answers.map(({ text }): { status: string; code?: string; error?: string } => JSON.parse(text)),
  };
}

describe("spawns that are on their way at once", () => {
  it("count as children of their session: one more than may be is refused as it is reserved", async () => {
    const { desk, answers } = await spawnAtOnce(3, { maxChildrenPerAgent: 2 }, {});
    expect(answers.map(({ status, code }) => code ?? status).toSorted()).toEqual([
      "accepted",
      "accepted",
      "children_reached",
    ]);
    // Each was allowed when it was decided; only the transaction knew of the others.
    expect(answers.find(({ code }) => code !== undefined)?.error).toContain("2 of this session are at work");
    expect(desk.steps.filter(({ step }) => step === "reserve_run")).toHaveLength(3);
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["running", "running"]);
  });

  it("count in their tree", async () => {
    const { desk, answers } = await spawnAtOnce(3, {}, { limits: { maxTreeRuns: 1 } });
    expect(answers.map(({ status, code }) => code ?? status).toSorted()).toEqual([
      "accepted",
      "tree_reached",
      "tree_reached",
    ]);
    expect(await desk.runs()).toHaveLength(1);
  });
});
