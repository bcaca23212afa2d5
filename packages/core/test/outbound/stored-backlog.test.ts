import { expect, it } from "vitest";
import { resolveWaitMs } from "../../src/outbound/stored-backlog.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

it.each([
  { what: "a row that is due", state: "pending", createdAtMs: 0, nextAtMs: 10, nowMs: 20, waitMs: 0 },
  { what: "a row with its time to come", state: "pending", createdAtMs: 0, nextAtMs: 50, nowMs: 20, waitMs: 30 },
  { what: "a long rate limit", state: "pending", createdAtMs: 0, nextAtMs: DAY_MS, nowMs: 10, waitMs: DAY_MS - 10 },
  {
    what: "a row of a clock that was set back a day",
    state: "pending",
    createdAtMs: DAY_MS,
    nextAtMs: DAY_MS + 5_000,
    nowMs: 10,
    waitMs: 5_000,
  },
  {
    what: "a stuck row of a clock that was set back a day",
    state: "stuck",
    createdAtMs: 0,
    nextAtMs: DAY_MS,
    nowMs: 10,
    waitMs: 30 * MINUTE_MS,
  },
  {
    what: "a row of a clock that was set on a day",
    state: "pending",
    createdAtMs: 0,
    nextAtMs: 50,
    nowMs: DAY_MS,
    waitMs: 0,
  },
] as const)("$what waits $waitMs ms", ({ waitMs, nowMs, ...row }) => {
  expect(resolveWaitMs(row, nowMs)).toBe(waitMs);
});
