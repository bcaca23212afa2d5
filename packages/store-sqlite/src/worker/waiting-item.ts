import type { NewItem } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

/** Stores an input of a lane unless its `dedupe` stands. Its `seq`. */
export function storeWaitingItem(tables: Tables, item: NewItem, nowMs: number): number {
  return tables.items.findDuplicate(item.dedupe) ?? insertWaitingItem(tables, item, "waiting", nowMs);
}

/** For an item that is not stored. A held one waits for its siblings. */
export function insertWaitingItem(tables: Tables, item: NewItem, state: "waiting" | "held", nowMs: number): number {
  const lane = tables.lanes.open(item.lane);
  const seq = tables.items.insert(item, { laneId: lane.id, state, attempt: 0, body: item.body }, nowMs);
  tables.lanes.refresh(lane.id);
  return seq;
}
