import { describe, expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";

const main = {
  runtime: "played",
  workspace: "/workspace",
  tools: { deny: [] },
  subagents: { maxSpawnDepth: 3, maxChildrenPerAgent: 4 },
};

describe("attack 19: agents of which each spawns as many as it can", () => {
  it("are refused by depth, width and tree; what was begun ends, and the conversation goes on", async () => {
    const desk = await new TreeDesk({ agents: { main }, options: { limits: { maxTreeRuns: 12 } } }).start();
    const codes = new Map<string, number>();
    let [most, deepest] = [0, 0];
    desk.plays(/^(go|bomb)/, async ({ call }) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => call("sessions_spawn", { task: "bomb" })));
      for (const { text } of answers) {
        const { code = "accepted" } = text.startsWith("{") ? JSON.parse(text) : { code: "no_such_tool" };
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
      const { unfinishedRuns } = await desk.store.read.counts();
      most = Math.max(most, unfinishedRuns);
      return "spawned what I could";
    });
    desk.plays(/sub-agent/, () => "all done");
    await desk.says("go");
    await desk.later(60_000);
    for (const { childSessionKey } of await desk.runs()) {
      const row = await desk.store.read.session(childSessionKey);
      deepest = Math.max(deepest, JSON.parse(row?.body ?? "{}").spawnDepth ?? 0);
    }
    expect([...codes.keys()].toSorted()).toEqual(["accepted", "children_reached", "no_such_tool", "tree_reached"]);
    expect(most).toBeLessThanOrEqual(12);
    expect(deepest).toBe(3);
    expect(await desk.store.read.counts()).toMatchObject({ unfinishedRuns: 0, activeLanes: 0 });
    desk.plays(/^hello/, () => "still here");
    await desk.says("hello");
    expect(desk.heard().at(-1)).toBe("still here");
  });
});
