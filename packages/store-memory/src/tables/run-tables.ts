import type { BindingRow, RunRow, TimerRow } from "@banyan/plugin-sdk/store";

/** Runs and what belongs to them. */
export interface RunTables {
  /** The last number that a run got; they stand for the order of creation. */
  lastNumber: number;
  /** In the order of creation. */
  readonly records: Map<string, RunRecord>;
  /** Of runs that were not undone. */
  readonly idByDedupe: Map<string, string>;
  readonly indexes: Readonly<Record<RunIndex, Map<string, Set<string>>>>;
  readonly timers: Map<string, TimerRow>;
  /** By item: timers that wait for its turn, or did. */
  readonly timersByItem: Map<number, Set<string>>;
  /** By address. */
  readonly bindings: Map<string, BindingRecord>;
  lastBindingNumber: number;
  /** By the run that holds them: items that are not to be claimed yet. */
  readonly heldItems: Map<string, Set<number>>;
}

export interface RunRecord {
  readonly number: number;
  readonly row: RunRow;
}

export interface BindingRecord {
  /** Stands for the order in which bindings were made. */
  readonly number: number;
  readonly row: BindingRow;
}

/** What runs are found by; `unfinished…` leaves ended ones out, so that a spawn never passes them. */
export type RunIndex =
  | "state"
  | "requester"
  | "child"
  | "root"
  | "parent"
  | "told"
  | "unsettled"
  | "unfinishedRequester"
  | "unfinishedChild"
  | "unfinishedRoot"
  | "unfinishedParent";

export function createRunTables(): RunTables {
  return {
    lastNumber: 0,
    records: new Map(),
    idByDedupe: new Map(),
    indexes: {
      state: new Map(),
      requester: new Map(),
      child: new Map(),
      root: new Map(),
      parent: new Map(),
      told: new Map(),
      unsettled: new Map(),
      unfinishedRequester: new Map(),
      unfinishedChild: new Map(),
      unfinishedRoot: new Map(),
      unfinishedParent: new Map(),
    },
    timers: new Map(),
    timersByItem: new Map(),
    bindings: new Map(),
    lastBindingNumber: 0,
    heldItems: new Map(),
  };
}
