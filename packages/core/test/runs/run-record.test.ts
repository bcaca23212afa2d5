import type { RunEndReason, RunState } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { isUnfinished, measureRunMs, parseRunRow, RUN_STATUS_WORDS } from "../../src/runs/run-record.ts";
import { BORN, buildRow, buildRun, endRow } from "./run-rows.ts";

describe("a stored run reads as", () => {
  test.each<[RunState, RunEndReason | undefined, string]>([
    ["reserved", undefined, "opening"],
    ["accepted", undefined, "queued"],
    ["running", undefined, "running"],
    ["waiting", undefined, "waiting"],
    ["ended", "complete", "done"],
    ["ended", "error", "failed"],
    ["ended", "timeout", "timed out"],
    ["ended", "killed", "stopped"],
    ["ended", "session-reset", "stopped"],
    ["ended", "session-delete", "stopped"],
    ["ended", "interrupted", "interrupted"],
    ["ended", "spawn-failed", "not started"],
  ])("%s by %s: %s", (state, endedReason, words) => {
    const run = buildRun("r1", { state, ...(endedReason === undefined ? {} : { endedReason }) });
    expect(RUN_STATUS_WORDS[run.status]).toBe(words);
    expect(isUnfinished(run)).toBe(state !== "ended");
  });

  test("what it was asked, what came of it and what it is called", () => {
    const run = parseRunRow(endRow(buildRow("r1", { body: { label: "words 1/3" } }), { result: "4,210 words" }));
    expect(run).toMatchObject({ name: "words 1/3", body: { task: "count words\nin docs" }, status: "done" });
    expect(run.completion?.result).toBe("4,210 words");
    expect(buildRun("r2").completion).toBeUndefined();
  });
});

test("it takes until its end, or until now", () => {
  expect(measureRunMs(buildRun("r1"), BORN + 12_000)).toBe(12_000);
  expect(measureRunMs(buildRun("r1"), BORN - 5)).toBe(0);
  expect(measureRunMs(parseRunRow(endRow(buildRow("r1"), { durationMs: 250 })), BORN + 12_000)).toBe(250);
  const undone = buildRun("r1", { state: "ended", endedReason: "spawn-failed", endedAtMs: BORN + 50 });
  expect(measureRunMs(undone, BORN + 12_000)).toBe(50);
});
