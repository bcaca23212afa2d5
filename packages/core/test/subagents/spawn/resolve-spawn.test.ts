import { expect, it } from "vitest";
import { resolveArchiveAtMs } from "../../../src/runs/resolve-archive-time.ts";
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
  ["archives what ended long ago and is delivered", 5_000, true, { kind: "archive" }],
  ["archives it just at the end of its span", 9_000, true, { kind: "archive" }],
  ["waits for the end of the span from the run's end", 9_001, true, { kind: "rearm", dueAtMs: 10_001 }],
  ["waits for the delivery", 5_000, false, { kind: "rearm", dueAtMs: 11_000 }],
  ["waits for the delivery of what has just ended", 9_500, false, { kind: "rearm", dueAtMs: 10_500 }],
  ["waits for the end of the run", undefined, true, { kind: "rearm", dueAtMs: 11_000 }],
] as const)("a timer that fires at 10,000 with a span of 1,000 %s", (_what, endedAtMs, isDelivered, decision) => {
  expect(decideArchive({ nowMs: 10_000, archiveAfterMs: 1_000, endedAtMs, isDelivered })).toEqual(decision);
});
