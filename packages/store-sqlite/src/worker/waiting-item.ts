import type { NewItem } from "@banyan/store";
import type { Tables } from "./tables.ts";

/** Stores an input of a lane unless its `dedupe` stands. Its `seq`. */
export function storeWaitingItem(tables: Tables, item: NewItem, nowMs: number): number {
  return tables.items.findDuplicate(item.dedupe) ?? insertWaitingItem(tables, item, nowMs);
}

/** For an item that is not stored. */
export function insertWaitingItem(tables: Tables, item: NewItem, nowMs: number): number {
  const lane = tables.lanes.open(item.lane);
  const seq = tables.items.insert(item, { laneId: lane.id, state: "waiting", attempt: 0, body: item.body }, nowMs);
  tables.lanes.refresh(lane.id);
  return seq;
}

/** For a completion that is not stored: it waits for those that its run still awaits. */
export function insertHeldItem(tables: Tables, item: NewItem, holder: string, nowMs: number): void {
  const lane = tables.lanes.open(item.lane);
  const seq = tables.items.insert(item, { laneId: lane.id, state: "held", attempt: 0, body: item.body }, nowMs);
  tables.heldItems.add(seq, lane.id, holder);
}
