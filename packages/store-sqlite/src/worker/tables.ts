import type { DatabaseSync } from "node:sqlite";
import { AuditTable } from "./audit-table.ts";
import { BindingTable } from "./binding-table.ts";
import { DayTable } from "./day-table.ts";
import { DeliveryTable } from "./delivery-table.ts";
import { EntryTable } from "./entry-table.ts";
import { HeldItems } from "./held-items.ts";
import { ItemTable } from "./item-table.ts";
import { LaneTable } from "./lane-table.ts";
import { LinkTable } from "./link-table.ts";
import { OpenRuns } from "./open-runs.ts";
import { PairingTable } from "./pairing-table.ts";
import { RouteRevision } from "./route-revision.ts";
import { RunTable } from "./run-table.ts";
import { Sequence } from "./sequence.ts";
import { SessionTable } from "./session-table.ts";
import { TimerTable } from "./timer-table.ts";
import { WriterTable } from "./writer-table.ts";

/** What the steps of one connection write to, with its statements kept. */
export interface Tables {
  readonly sequence: Sequence;
  readonly sessions: SessionTable;
  readonly days: DayTable;
  readonly entries: EntryTable;
  readonly lanes: LaneTable;
  readonly items: ItemTable;
  readonly heldItems: HeldItems;
  readonly deliveries: DeliveryTable;
  readonly routeRevision: RouteRevision;
  readonly pairings: PairingTable;
  readonly links: LinkTable;
  readonly writers: WriterTable;
  readonly runs: RunTable;
  readonly openRuns: OpenRuns;
  readonly timers: TimerTable;
  readonly bindings: BindingTable;
  readonly audit: AuditTable;
}

export function createTables(database: DatabaseSync): Tables {
  const sequence = new Sequence(database);
  const days = new DayTable(database);
  const routeRevision = new RouteRevision(database);
  return {
    sequence,
    sessions: new SessionTable(database, days),
    days,
    entries: new EntryTable(database),
    lanes: new LaneTable(database),
    items: new ItemTable(database, sequence),
    heldItems: new HeldItems(database),
    deliveries: new DeliveryTable(database, sequence),
    routeRevision,
    pairings: new PairingTable(database, routeRevision),
    links: new LinkTable(database, routeRevision),
    writers: new WriterTable(database),
    runs: new RunTable(database),
    openRuns: new OpenRuns(database),
    timers: new TimerTable(database),
    bindings: new BindingTable(database, routeRevision),
    audit: new AuditTable(database),
  };
}
