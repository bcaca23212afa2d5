import type {
  AuditRow,
  DayCount,
  DeliveryRow,
  DeliveryState,
  EntryRow,
  HistoryRow,
  ItemRow,
  SessionRow,
  WriterRow,
} from "@banyan/plugin-sdk/store";
import { createRouteTables, type RouteTables } from "./route-tables.ts";
import { createRunTables, type RunTables } from "./run-tables.ts";

/** Rows are frozen and replaced, never changed, so they can be handed out as they are. */
export interface Tables {
  /** The last `seq` or `pos` that was given. */
  lastPos: number;
  readonly sessions: Map<string, SessionRow>;
  /** Keys of sessions that were put away. */
  readonly archivedKeys: Set<string>;
  /** Keys of the others in ascending order; left out while a change of them has not been sorted in. */
  sortedSessionKeys: readonly string[] | undefined;
  readonly sessionKeyById: Map<string, string>;
  readonly sessionKeyByFile: Map<string, string>;
  readonly sessionWrites: Map<string, { readonly revision: number; readonly atMs: number }>;
  /** By sessionId; an entry's place is its `seq` − 1. */
  readonly entries: Map<string, EntryRow[]>;
  readonly entryIds: Set<string>;
  readonly entriesByItem: Map<number, { readonly sessionId: string; readonly seq: number }[]>;
  /** By sessionId: the session key under which its entries stand. */
  readonly transcriptKeys: Map<string, string>;
  /** In the order of `seq`. */
  readonly items: Map<number, ItemRecord>;
  readonly seqByDedupe: Map<string, number>;
  readonly waitingCommands: Set<number>;
  waitingItems: number;
  readonly lanes: Map<string, LaneRecord>;
  readonly readyLanes: Set<LaneRecord>;
  readonly ownedLanes: Set<LaneRecord>;
  /** In the order of `pos`. */
  readonly deliveries: Map<string, DeliveryRecord>;
  readonly unsettledDeliveries: ReadonlyMap<DeliveryState, Set<string>>;
  /** By the row whose message is claimed. */
  readonly claimants: Map<string, string>;
  readonly quietDeliveries: Map<string, { readonly id: string; readonly atMs: number }>;
  /** By address, in the order of `pos`. */
  readonly history: Map<string, HistoryRow[]>;
  readonly cursors: Map<string, string>;
  readonly writers: Map<string, WriterRow[]>;
  /** By who and day. */
  readonly days: Map<string, DayRecord>;
  readonly routes: RouteTables;
  readonly runs: RunTables;
  readonly audit: AuditRow[];
}

export interface ItemRecord {
  readonly row: ItemRow;
  readonly dedupe: string;
  /** The turn that committed the item. */
  readonly commit?: { readonly epoch: number; readonly revision: number; readonly run?: "ended" | "waiting" };
}

export interface DayRecord {
  readonly used: Omit<DayCount, "subject" | "day">;
  /** Of the first count. */
  readonly countedAtMs: number;
}

export interface LaneRecord {
  readonly lane: string;
  epoch: number;
  owner: string | undefined;
  /** The latest claim. */
  claim: { readonly id: string; readonly seq: number } | undefined;
  /** Waiting items, commands included, in the order of `seq`. */
  queue: number[];
  /** How many of the queue are commands. */
  commands: number;
  active: readonly number[];
  /** Items that are not to be claimed yet. */
  held: readonly number[];
}

export interface DeliveryRecord {
  readonly row: DeliveryRow;
  readonly quietKey?: string;
  /** The operator has dropped it. */
  readonly isDropped?: boolean;
}

export function createTables(): Tables {
  return {
    lastPos: 0,
    sessions: new Map(),
    archivedKeys: new Set(),
    sortedSessionKeys: undefined,
    sessionKeyById: new Map(),
    sessionKeyByFile: new Map(),
    sessionWrites: new Map(),
    entries: new Map(),
    entryIds: new Set(),
    entriesByItem: new Map(),
    transcriptKeys: new Map(),
    items: new Map(),
    seqByDedupe: new Map(),
    waitingCommands: new Set(),
    waitingItems: 0,
    lanes: new Map(),
    readyLanes: new Set(),
    ownedLanes: new Set(),
    deliveries: new Map(),
    unsettledDeliveries: new Map([
      ["pending", new Set<string>()],
      ["sending", new Set<string>()],
      ["stuck", new Set<string>()],
    ]),
    claimants: new Map(),
    quietDeliveries: new Map(),
    history: new Map(),
    cursors: new Map(),
    writers: new Map(),
    days: new Map(),
    routes: createRouteTables(),
    runs: createRunTables(),
    audit: [],
  };
}

/** The next place in the one count that items and deliveries share. */
export function takePos(tables: Tables): number {
  tables.lastPos += 1;
  return tables.lastPos;
}

/** One key of two parts, in which neither can pass for the other. */
export function pairKey(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}
