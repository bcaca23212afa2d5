import type { ItemWake, NewItem } from "@banyan/store";
import type { Tables } from "./tables.ts";
import { insertHeldItem, insertWaitingItem } from "./waiting-item.ts";

/** Lanes that a step gave something to do. */
export type Wakes = Set<string>;

/**
 * Puts a completion into its lane, after all runs of the step have ended: held while the run that it is for waits for
 * others, and only to be written down where that run has ended.
 */
export function storeCompletion(tables: Tables, item: NewItem, nowMs: number, wakes: Wakes): void {
  if (tables.items.findDuplicate(item.dedupe) !== undefined) return;
  const { runId } = item;
  const hasRunEnded = runId !== undefined && tables.runs.findStanding(runId)?.state === "ended";
  const isAppended = item.wake === "append" || hasRunEnded;
  if (runId !== undefined && !isAppended && tables.openRuns.hasAwaited(runId)) {
    insertHeldItem(tables, item, runId, nowMs);
    return;
  }
  insertWaitingItem(tables, isAppended ? { ...item, wake: "append" } : item, nowMs);
  wakes.add(item.lane);
}

/** Sets free what a run held, unless it still waits for others. Where it has ended, that is only written down. */
export function freeHeld(tables: Tables, runId: string, wakes: Wakes = new Set()): void {
  const hasEnded = tables.runs.findStanding(runId)?.state === "ended";
  if (!hasEnded && tables.openRuns.hasAwaited(runId)) return;
  const wake: ItemWake = hasEnded ? "append" : "turn";
  for (const laneId of tables.heldItems.free(runId, wake)) {
    tables.lanes.refresh(laneId);
    wakes.add(tables.lanes.getName(laneId));
  }
}
