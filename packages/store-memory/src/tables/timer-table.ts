import type { FiredTimer, NewTimer } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

/** Ends first, so that an id in both lists stands armed. */
export function writeTimers({ runs }: Tables, arm: readonly NewTimer[], end: readonly string[], nowMs: number): void {
  for (const id of end) runs.timers.delete(id);
  for (const { dueInMs, ...timer } of arm) {
    runs.timers.set(timer.id, Object.freeze({ ...timer, armedAtMs: nowMs, dueAtMs: nowMs + dueInMs }));
  }
}

/** Armed as it was read; a step without a timer has nothing to lose. */
export function standsArmed({ runs }: Tables, timer: FiredTimer | undefined): boolean {
  return timer === undefined || runs.timers.get(timer.id)?.dueAtMs === timer.dueAtMs;
}

/** What was armed anew meanwhile stays. */
export function removeFired(tables: Tables, timer: FiredTimer | undefined): void {
  if (timer !== undefined && standsArmed(tables, timer)) tables.runs.timers.delete(timer.id);
}
