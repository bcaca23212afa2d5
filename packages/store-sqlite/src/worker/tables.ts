import type { DatabaseSync } from "node:sqlite";
import { DeliveryTable } from "./delivery-table.ts";
import { EntryTable } from "./entry-table.ts";
import { ItemTable } from "./item-table.ts";
import { LaneTable } from "./lane-table.ts";
import { Sequence } from "./sequence.ts";
import { SessionTable } from "./session-table.ts";

/** What the steps of one connection write to, with its statements kept. */
export interface Tables {
  readonly sequence: Sequence;
  readonly sessions: SessionTable;
  readonly entries: EntryTable;
  readonly lanes: LaneTable;
  readonly items: ItemTable;
  readonly deliveries: DeliveryTable;
}

export function createTables(database: DatabaseSync): Tables {
  const sequence = new Sequence(database);
  return {
    sequence,
    sessions: new SessionTable(database),
    entries: new EntryTable(database),
    lanes: new LaneTable(database),
    items: new ItemTable(database, sequence),
    deliveries: new DeliveryTable(database, sequence),
  };
}
