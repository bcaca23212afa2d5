import { describe, expect, it } from "vitest";
import type { AgentConfig } from "../../src/config/config.ts";
import { createGate } from "./tools/tool-desk.ts";
import { TreeDesk } from "./tree-desk.ts";

const STORM = 40;
const main: AgentConfig = {
  runtime: "played",
  workspace: "/workspace",
  tools: { deny: [] },
  subagents: { maxChildrenPerAgent: STORM },
};

/** Children that end while their requester is in a long turn of a person's. */
async function openDesk(labels: readonly string[]) {
  const desk = await new TreeDesk({ agents: { main }, options: { limits: { maxConcurrent: STORM } } }).start();
  const [work, talk] = [createGate(), createGate()];
  desk.plays(/^go/, async ({ call }) => {
    for (const label of labels) await call("sessions_spawn", { task: `work ${label}`, label });
    return "asked";
  });
  desk.plays(/^work/, async (turn) => {
    await work.player(turn);
    return `result of ${turn.text.slice(5)}`;
  });
  desk.plays(/^a long story/, talk.player);
  desk.plays(/The sub-agent “/, ({ input }) => `told of ${input.input.length}`);
  await desk.says("go");
  await desk.says("a long story");
  work.open();
  await desk.rest();
  return { desk, talk };
}

describe("attack 20: children that all end while their requester is busy", () => {
  it("wait for it, come in one turn, and each stays an entry of its own", async () => {
    const { desk, talk } = await openDesk(["a", "b", "c"]);
    expect(desk.heard()).toEqual(["asked"]);
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["ended", "ended", "ended"]);
    talk.open("the end of the story");
    await desk.rest();
    expect(desk.heard()).toEqual(["asked", "the end of the story", "told of 3"]);
    const runs = await desk.runs();
    expect(runs.map(({ settledBy }) => settledBy)).toEqual(["parent", "parent", "parent"]);
    const entries = (await desk.transcript()).filter(({ kind }) => kind === "completion");
    const told = entries.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === "completion" ? [[part.completion.runId, part.completion.result]] : [])),
    );
    expect(told.toSorted()).toEqual(
      ["a", "b", "c"].map((label, at) => [runs[at]?.runId, `result of ${label}`]).toSorted(),
    );
  });

  it("are one turn and one message, however many they are", async () => {
    const labels = Array.from({ length: STORM }, (_, at) => `n${at}`);
    const { desk, talk } = await openDesk(labels);
    const before = desk.turns.length;
    talk.open("the end");
    await desk.rest();
    expect(desk.turns.length - before).toBe(1);
    expect(desk.heard()).toEqual(["asked", "the end", `told of ${STORM}`]);
    const runs = await desk.runs();
    expect(new Set(runs.map(({ settledBy }) => settledBy))).toEqual(new Set(["parent"]));
    const ids = (await desk.transcript()).flatMap(({ kind, content }) =>
      kind === "completion"
        ? content.flatMap((part) => (part.type === "completion" ? [part.completion.runId] : []))
        : [],
    );
    expect(ids.toSorted()).toEqual(runs.map(({ runId }) => runId).toSorted());
  });
});
