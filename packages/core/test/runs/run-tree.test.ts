import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../src/runs/run-record.ts";
import {
  buildRunTree,
  findRunNode,
  hasUnfinished,
  listTreeRuns,
  type RunNode,
  trimRunTree,
} from "../../src/runs/run-tree.ts";
import { buildRun, childKey, ROOT } from "./run-rows.ts";

function below(runId: string, parent: string, change: Parameters<typeof buildRun>[1] = {}): RunRecord {
  return buildRun(runId, { requesterSessionKey: childKey(parent), parentRunId: parent, ...change });
}

function tree(records: readonly RunRecord[], sessionKey = ROOT): readonly RunNode[] {
  return buildRunTree(records, { sessionKey, rootSessionKey: ROOT });
}

/** `a(b(c) d)`. */
function write(nodes: readonly RunNode[]): string {
  return nodes.map(({ run, children }) => run.runId + (children.length === 0 ? "" : `(${write(children)})`)).join(" ");
}

describe("a tree of runs", () => {
  test("each session sees its direct children", () => {
    const records = [buildRun("a"), buildRun("b"), below("c", "a"), below("d", "c"), below("e", "a")];
    expect(write(tree(records))).toBe("a(c(d) e) b");
    expect(write(tree(records, childKey("a")))).toBe("c(d) e");
    expect(write(tree(records, childKey("d")))).toBe("");
  });

  test("a run that a person asked for in a child's session hangs below the newest run of it", () => {
    const again = buildRun("a2", { childSessionKey: childKey("a") });
    const asked = buildRun("c", { requesterSessionKey: childKey("a") });
    expect(write(tree([buildRun("a"), again, asked]))).toBe("a a2(c)");
  });

  test("a run whose parent is gone is not hidden", () => {
    expect(write(tree([below("c", "gone"), buildRun("a")]))).toBe("c a");
  });

  test("sessions that ask each other make no circle", () => {
    const back = buildRun("back", {
      childSessionKey: childKey("a"),
      requesterSessionKey: childKey("c"),
      parentRunId: "c",
    });
    const on = below("on", "back", { requesterSessionKey: childKey("a") });
    expect(write(tree([buildRun("a"), below("c", "a"), back, on]))).toBe("a(c(back(on)))");
  });

  test("its runs are listed from above, and found with what is below them", () => {
    const nodes = tree([buildRun("a"), buildRun("b"), below("c", "a"), below("d", "c")]);
    expect(listTreeRuns(nodes).map(({ runId }) => runId)).toEqual(["a", "c", "d", "b"]);
    expect(write([findRunNode(nodes, "c")].filter((node) => node !== undefined))).toBe("c(d)");
    expect(findRunNode(nodes, "x")).toBeUndefined();
  });

  test("it is unfinished while anything in it is", () => {
    const ended = { state: "ended", endedReason: "complete" } as const;
    expect(hasUnfinished(tree([buildRun("a", ended), below("c", "a")]))).toBe(true);
    expect(hasUnfinished(tree([buildRun("a", ended), below("c", "a", ended)]))).toBe(false);
  });
});

describe("a tree that is too large", () => {
  const done = (at: number) => ({ state: "ended", endedReason: "complete", changedAtMs: at }) as const;
  const nodes = tree([
    buildRun("old", done(1)),
    buildRun("a", done(2)),
    below("c", "a", done(3)),
    below("live", "c", { changedAtMs: 0 }),
    buildRun("new", done(9)),
  ]);

  test("keeps what is unfinished, with all above it, and what ended last", () => {
    const { nodes: kept, hidden } = trimRunTree(nodes, 2);
    expect([write(kept), hidden]).toEqual(["a(c(live)) new", 1]);
  });

  test("is whole where it fits", () => {
    expect(trimRunTree(nodes, 5)).toEqual({ nodes, hidden: 0 });
  });
});
