import { expect, it } from "vitest";
import { getRunLimits } from "../../../src/config/shapes/limits-config.ts";
import { problemsOf, readWritten } from "../written-config.ts";

const DAY_MS = 86_400_000;

it("has a default for each limit", () => {
  const defaults = { maxConcurrent: 8, maxTreeRuns: 64, runRetentionMs: 30 * DAY_MS, auditRetentionMs: 90 * DAY_MS };
  expect(getRunLimits(undefined)).toEqual(defaults);
  expect(getRunLimits({ maxConcurrent: 2 })).toEqual({ ...defaults, maxConcurrent: 2 });
  expect(getRunLimits(readWritten({ limits: { runRetentionDays: 1 } }).config.limits)).toEqual({
    ...defaults,
    runRetentionMs: DAY_MS,
  });
});

it.each([
  [{ maxConcurrent: 0 }, "limits.maxConcurrent: Must be at least 1 (got 0)."],
  [{ maxConcurrent: 10_001 }, "limits.maxConcurrent: Must be at most 10000 (got 10001)."],
  [{ maxTreeRuns: 0 }, "limits.maxTreeRuns: Must be at least 1 (got 0)."],
  [{ runRetentionDays: 0 }, "limits.runRetentionDays: Must be at least 1 (got 0)."],
  [{ maxTreeRun: 1 }, 'limits.maxTreeRun: Unknown key; did you mean "maxTreeRuns"?'],
])("refuses the limits %j", (limits, problem) => {
  expect(problemsOf({ limits })[0]).toBe(problem);
});

it("takes the largest process there is", () => {
  expect(problemsOf({ limits: { maxConcurrent: 10_000, maxTreeRuns: 10_000 } })).toEqual([]);
});
