import { describe, expect, test } from "vitest";
import { measureWidth } from "../../src/ports/display-width.ts";
import { drawRunTree } from "../../src/runs/draw-run-tree.ts";
import { parseRunRow, type RunRecord } from "../../src/runs/run-record.ts";
import { buildRunTree } from "../../src/runs/run-tree.ts";
import { BORN, buildRow, buildRun, childKey, endRow, ROOT } from "./run-rows.ts";

const NOW = BORN + 12_000;

function draw(records: readonly RunRecord[], columns = 80, notes = true): readonly string[] {
  const nodes = buildRunTree(records, { sessionKey: ROOT, rootSessionKey: ROOT });
  return drawRunTree(nodes, { now: NOW, columns, notes });
}

const label = (text: string) => ({ body: { label: text } });

describe("a tree is drawn", () => {
  test("with what each is called, how it fares, how long it takes and what it says", () => {
    const records = [
      buildRun("a", label("words 1/3")),
      buildRun("b", { ...label("words 2/3"), createdAtMs: NOW - 11_000 }),
      parseRunRow(endRow(buildRow("c", label("words 3/3")), { result: "12 files\n4,210 words" })),
    ];
    expect(draw(records)).toEqual([
      "├ words 1/3   running   12 s",
      "├ words 2/3   running   11 s",
      "└ words 3/3   done      0.3 s   4,210 words",
    ]);
  });

  test("level below level, in columns", () => {
    const inner = { requesterSessionKey: childKey("a"), parentRunId: "a" };
    const records = [
      buildRun("a", { ...label("docs"), state: "waiting" }),
      parseRunRow(endRow(buildRow("c", { ...label("日本"), ...inner }), { totalTokens: 1200 })),
      buildRun("d", { ...label("two"), ...inner, state: "accepted", createdAtMs: NOW }),
      buildRun("b", label("rest")),
      buildRun("e", { ...label("last"), requesterSessionKey: childKey("b"), parentRunId: "b" }),
    ];
    expect(draw(records)).toEqual([
      "├ docs     waiting   12 s",
      "│ ├ 日本   done      0.3 s   1200 tokens",
      "│ └ two    queued    0.0 s",
      "└ rest     running   12 s",
      "  └ last   running   12 s",
    ]);
  });

  test("an end that is not a good one says why", () => {
    const failed = endRow(buildRow("a", { ...label("a"), endedReason: "error" }), {
      outcome: "failed",
      error: "No key.",
    });
    expect(draw([parseRunRow(failed)])).toEqual(["└ a   failed   0.3 s   No key."]);
    expect(draw([parseRunRow(failed)], 80, false)).toEqual(["└ a   failed   0.3 s"]);
  });

  test("nothing is nothing", () => {
    expect(draw([])).toEqual([]);
  });

  test("what comes from outside moves no cursor and stays on its line", () => {
    const evil = endRow(buildRow("a", label("\u001b[31mred\u001b[0m\nline\u202e")), {
      result: "\u001b]0;x\u0007fine\rly",
    });
    expect(draw([parseRunRow(evil)])).toEqual(["└ red line   done   0.3 s   finely"]);
  });

  test.each([20, 30, 40, 60, 80])("no line is wider than %i columns", (columns) => {
    const inner = { requesterSessionKey: childKey("a"), parentRunId: "a" };
    const long = label("count the words of every file in 日本 and below it");
    const records = [
      buildRun("a", long),
      parseRunRow(endRow(buildRow("b", { ...long, ...inner }), { result: "w".repeat(200), totalTokens: 123_456 })),
    ];
    const lines = draw(records, columns);
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(columns);
    expect(lines[1]).toContain("…");
  });
});
