import { formatDuration } from "@banyan/plugin-sdk";
import { describe, expect, test } from "vitest";
import { formatElapsedTime } from "../../src/page/elapsed-time.ts";
import { countUnfinished, parseRunTree, type TreeRun } from "../../src/page/run-tree.ts";
import type { RunTreeRead } from "../../src/page/run-tree-api.ts";
import { decideLookWaitMs } from "../../src/page/run-tree-watch.ts";

const RUN: TreeRun = {
  id: "a",
  name: "docs",
  status: "running",
  words: "running",
  isUnfinished: true,
  ms: 300,
  children: [],
};
const ENDED: TreeRun = {
  ...RUN,
  id: "b",
  isUnfinished: false,
  tokens: 1,
  note: "n",
  delivery: "d",
  isUndelivered: true,
};

describe("the tree on the wire", () => {
  test("is read with all below it", () => {
    const tree = { runs: [{ ...RUN, children: [ENDED] }], hidden: 2 };
    expect(parseRunTree(JSON.parse(JSON.stringify({ ...tree, later: 1 })))).toEqual(tree);
    expect(countUnfinished(tree.runs)).toBe(1);
  });

  test("of a version that says less is shown as far as it goes", () => {
    const { words: _words, isUnfinished: _isUnfinished, children: _children, ...less } = RUN;
    expect(parseRunTree({ runs: [less, { id: "x" }, null, { ...less, ms: "1" }] })).toEqual({
      runs: [{ ...RUN, isUnfinished: false }],
      hidden: 0,
    });
  });

  test.each([null, undefined, 5, "runs", {}])("%o is none", (value) => {
    expect(parseRunTree(value)).toBeUndefined();
  });
});

describe("the server is asked again", () => {
  const read = (...runs: readonly TreeRun[]): RunTreeRead => ({ status: "read", tree: { runs, hidden: 0 } });

  test.each<[string, RunTreeRead, number, number]>([
    ["each second while something is at work", read({ ...ENDED, children: [RUN] }), 1e9, 1_000],
    ["soon after something happened in the chat", read(ENDED), 59_000, 3_000],
    ["seldom when all is quiet", read(ENDED), 60_000, 60_000],
    ["after a while where it is gone", { status: "unreachable" }, 0, 5_000],
    ["seldom without the key", { status: "unauthorized" }, 0, 30_000],
  ])("%s", (_name, answer, sinceStirredMs, waitMs) => {
    expect(decideLookWaitMs(answer, sinceStirredMs)).toBe(waitMs);
  });
});

test("times are written as the host writes them", () => {
  const times = [
    -5, 0, 300, 9_949, 9_999, 10_000, 59_400, 59_600, 60_000, 185_000, 3_600_000, 7_800_000, 172_800_000, 273_600_000,
  ];
  expect(times.map(formatElapsedTime)).toEqual(times.map(formatDuration));
});
