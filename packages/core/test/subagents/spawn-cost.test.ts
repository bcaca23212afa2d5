import type { StoreReads } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { TreeDesk } from "./tree-desk.ts";

/** From now on the desk's reads are written down by their names. */
function recordReads(desk: TreeDesk): string[] {
  const names: string[] = [];
  const { read } = desk.store;
  const record = <Name extends keyof StoreReads>(name: Name) => {
    const ask: (...args: never) => unknown = read[name];
    Object.assign(read, {
      [name]: (...args: never) => {
        names.push(name);
        return ask(...args);
      },
    });
  };
  const asked = [
    "session",
    "lane",
    "counts",
    "runs",
    "run",
    "unfinishedRuns",
    "runByDedupe",
    "routes",
    "timers",
  ] as const;
  for (const name of asked) record(name);
  return names;
}

/** Ada's children work until the end of the test. */
async function openDesk(): Promise<TreeDesk> {
  const desk = new TreeDesk({
    agents: {
      main: {
        runtime: "played",
        workspace: "/workspace",
        tools: { deny: [] },
        subagents: { maxChildrenPerAgent: 100 },
      },
    },
  });
  desk.plays(/^work/, ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(""))));
  return desk.start();
}

describe("a spawn by a person", () => {
  it("asks the store for the conversation, its lane and a count, and for no run, however many there are", async () => {
    const desk = await openDesk();
    await desk.says("hello");
    const reads = recordReads(desk);
    const expected = ["session", "lane", "unfinishedRuns"];
    await desk.says("/spawn work");
    const first = reads.splice(0);
    for (let task = 2; task < 20; task += 1) await desk.says(`/spawn work on ${task}`);
    reads.splice(0);
    await desk.says("/spawn work at last");
    expect([first, reads]).toEqual([expected, expected]);
    expect(desk.heard().at(-1)).toMatch(/is at work/);
  });
});
