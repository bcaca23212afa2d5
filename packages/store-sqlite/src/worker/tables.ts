import type { DatabaseSync } from "node:sqlite";
import { AuditTable } from "./audit-table.ts";
import { DeliveryTable } from "./delivery-table.ts";
import { EntryTable } from "./entry-table.ts";
import { ItemTable } from "./item-table.ts";
import { LaneTable } from "./lane-table.ts";
import { LinkTable } from "./link-table.ts";
import { PairingTable } from "./pairing-table.ts";
import { RouteRevision } from "./route-revision.ts";
import { Sequence } from "./sequence.ts";
import { SessionTable } from "./session-table.ts";
import { WriterTable } from "./writer-table.ts";

/** What the steps of one connection write to, with its statements kept. */
export interface Tables {
  readonly sequence: Sequence;
  readonly sessions: SessionTable;
  readonly entries: EntryTable;
  readonly lanes: LaneTable;
  readonly items: ItemTable;
  readonly deliveries: DeliveryTable;
  readonly routeRevision: RouteRevision;
  readonly pairings: PairingTable;
  readonly links: LinkTable;
  readonly writers: WriterTable;
  readonly audit: AuditTable;
}

export function createTables(database: DatabaseSync): Tables {
  const sequence = new Sequence(database);
  const routeRevision = new RouteRevision(database);
  return {
    sequence,
    sessions: new SessionTable(database),
    entries: new EntryTable(database),
    lanes: new LaneTable(database),
    items: new ItemTable(database, sequence),
    deliveries: new DeliveryTable(database, sequence),
    routeRevision,
    pairings: new PairingTable(database, routeRevision),
    links: new LinkTable(database, routeRevision),
    writers: new WriterTable(database),
    audit: new AuditTable(database),
  };
}
