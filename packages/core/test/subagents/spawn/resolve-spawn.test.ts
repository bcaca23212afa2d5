import { describe, expect, it } from "vitest";
import { resolveArchiveAtMs } from "../../../src/runs/resolve-archive-time.ts";
import { listAcceptTimers } from "../../../src/runs/run-timer.ts";
import { resolveSpawnCleanup } from "../../../src/subagents/spawn/resolve-cleanup.ts";
import { resolveSpawnMode } from "../../../src/subagents/spawn/resolve-spawn-mode.ts";
import { decideArchive } from "../../../src/subagents/timers/decide-archive.ts";

it.each([
  [undefined, undefined, "run"],
  [undefined, false, "run"],
  [undefined, true, "session"],
  ["run", undefined, "run"],
  ["run", true, "run"],
  ["session", undefined, "session"],
  ["session", true, "session"],
] as const)("mode %j with thread %j is %s", (mode, thread, resolved) => {
  expect(resolveSpawnMode({ mode, thread })).toBe(resolved);
});

it.each([
  ["run", undefined, "keep"],
  ["run", "keep", "keep"],
  ["run", "delete", "delete"],
  ["session", undefined, "keep"],
  ["session", "delete", "keep"],
] as const)("of mode %s with cleanup %j the child's session is %s", (mode, cleanup, resolved) => {
  expect(resolveSpawnCleanup({ mode, cleanup })).toBe(resolved);
});

it.each([
  ["run", 60_000, 61_000],
  ["run", 0, undefined],
  ["run", undefined, undefined],
  ["session", 60_000, undefined],
] as const)("a %s made at 1,000 and kept for %j ms is archived at %j", (mode, archiveAfterMs, atMs) => {
  expect(resolveArchiveAtMs({ mode, createdAtMs: 1_000, archiveAfterMs })).toBe(atMs);
});

it.each([
  ["accepted ten seconds later", 11_000, 50_000],
  ["accepted when that has passed", 90_000, 0],
  ["accepted by a clock that was set back", 500, 60_000],
] as const)("a run made at 1,000 and %s arms its archive for what is left of the span", (_what, now, dueInMs) => {
  const body = { mode: "run", archiveAfterMs: 60_000 } as const;
  const timers = listAcceptTimers({ runId: "r", createdAtMs: 1_000 }, body, now);
  expect(timers).toEqual([{ id: "archive|r", kind: "archive", subject: "r", dueInMs }]);
});

const UNKNOWN = undefined;

describe("a run made at 0 whose span is 60 minutes", () => {
  it.each([
    ["that ended in time and is delivered is put away at once", 60, 50, true, "archive"],
    ["that ended just when it was due is put away at once", 60, 60, true, "archive"],
    ["that ended in time is put away whenever the timer fires", 75, 50, true, "archive"],
    ["that is unfinished is looked at a span later", 60, UNKNOWN, false, 120],
    ["that is unfinished still is looked at a span later again", 120, UNKNOWN, false, 180],
    ["that ended in time and is not delivered stays a span from its end", 60, 50, false, 110],
    ["that ended in time and is delivered by then is put away", 110, 50, true, "archive"],
    ["that is not delivered a span from its end is looked at a span later", 110, 50, false, 170],
    ["that ended late stays a span from its end", 120, 70, true, 130],
    ["that ended late is put away just then", 130, 70, true, "archive"],
    ["that ended late and is not delivered stays a span from its end", 120, 70, false, 130],
  ] as const)("%s", (_what, now, ended, isDelivered, decided) => {
    const endedAtMs = ended === UNKNOWN ? {} : { endedAtMs: ended };
    const due = { nowMs: now, archiveAfterMs: 60, createdAtMs: 0, ...endedAtMs, isDelivered };
    const expected = decided === "archive" ? { kind: "archive" } : { kind: "rearm", dueAtMs: decided };
    expect(decideArchive(due)).toEqual(expected);
  });
});
