import type { FiredTimer, NewTimer } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

/** Ends first, so that an id in both lists stands armed. */
export function writeTimers(tables: Tables, arm: readonly NewTimer[], end: readonly string[], nowMs: number): void {
  const { timers, timersByItem } = tables.runs;
  for (const id of end) timers.delete(id);
  for (const { dueInMs, ...timer } of arm) {
    const { id, itemSeq } = timer;
    const isOver = itemSeq !== undefined && !isAwaited(tables, itemSeq);
    timers.set(id, Object.freeze({ ...timer, armedAtMs: nowMs, dueAtMs: isOver ? nowMs : nowMs + dueInMs }));
    if (itemSeq === undefined || isOver) continue;
    timersByItem.set(itemSeq, (timersByItem.get(itemSeq) ?? new Set()).add(id));
  }
}

/** Whether a turn of the item runs or is still to run. */
export function isAwaited({ items }: Tables, itemSeq: number): boolean {
  const { state, wake } = items.get(itemSeq)?.row ?? {};
  return (state === "waiting" || state === "active") && wake !== "append";
}

/** The item has changed: what waits for its turn is due where that is over. */
export function hastenTimers(tables: Tables, itemSeq: number): void {
  const { runs } = tables;
  if (!runs.timersByItem.has(itemSeq) || isAwaited(tables, itemSeq)) return;
  for (const id of runs.timersByItem.get(itemSeq) ?? []) {
    const timer = runs.timers.get(id);
    if (timer?.itemSeq === itemSeq) runs.timers.set(id, Object.freeze({ ...timer, dueAtMs: timer.armedAtMs }));
  }
  runs.timersByItem.delete(itemSeq);
}

/** Armed as it was read; a step without a timer has nothing to lose. */
export function standsArmed({ runs }: Tables, timer: FiredTimer | undefined): boolean {
  return timer === undefined || runs.timers.get(timer.id)?.dueAtMs === timer.dueAtMs;
}

/** What was armed anew meanwhile stays. */
export function removeFired(tables: Tables, timer: FiredTimer | undefined): void {
  if (timer !== undefined && standsArmed(tables, timer)) tables.runs.timers.delete(timer.id);
}
