import type { Clock } from "@banyan/plugin-sdk";
import { startTimer } from "./timer.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own time. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    schedule: (delayMs, callback) => startTimer(Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS), callback),
  };
}
