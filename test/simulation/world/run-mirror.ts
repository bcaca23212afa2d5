import type { BindingRow, RunRow, TimerRow } from "@banyan/store";
import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { type Row, readText } from "../../../packages/store-sqlite/src/database/column.ts";
import {
  BINDING_COLUMNS,
  RUN_COLUMNS,
  readBindingRow,
  readRunRow,
  readTimerRow,
  TIMER_COLUMNS,
} from "../../../packages/store-sqlite/src/reads/run-row.ts";
import { type Key, RowNotes } from "./row-notes.ts";

interface Stored<R> {
  readonly row: R;
}
type RunIndex = "state" | "requester" | "child" | "unfinishedParent" | "unfinishedChild" | "unsettled";
type RunIndexes = { readonly [Name in RunIndex]: Map<string, Set<string>> };

/** The runs, timers and bindings of a store, and what is held for runs. */
export class RunMirror {
  readonly #notes: Readonly<Record<"runs" | "timers" | "bindings" | "held", RowNotes>>;
  readonly #runByPos = new Map<Key, RunRow>();
  readonly #records = new Map<string, Stored<RunRow>>();
  readonly #indexes: RunIndexes = {
    state: new Map(),
    requester: new Map(),
    child: new Map(),
    unfinishedParent: new Map(),
    unfinishedChild: new Map(),
    unsettled: new Map(),
  };
  readonly #timers = new Map<string, TimerRow>();
  readonly #bindings = new Map<Key, Stored<BindingRow>>();
  readonly #heldItems = new Map<string, Set<number>>();
  readonly #holders = new Map<Key, string>();

  constructor(data: InlineDatabase) {
    const note = (name: string, key: string, columns: string, take: (key: Key, row: Row | undefined) => void) =>
      new RowNotes(data, { name, key, columns }, take);
    this.#notes = {
      runs: note("runs", "pos", RUN_COLUMNS, (pos, row) => this.#takeRun(pos, row && readRunRow(row))),
      timers: note("timers", "id", TIMER_COLUMNS, (id, row) => put(this.#timers, String(id), row && readTimerRow(row))),
      bindings: note("bindings", "pos", BINDING_COLUMNS, (pos, row) =>
        put(this.#bindings, pos, row && { row: readBindingRow(row) }),
      ),
      held: note("held", "item_seq", "holder", (seq, row) => this.#takeHeld(seq, row && readText(row.holder))),
    };
  }

  get records(): ReadonlyMap<string, Stored<RunRow>> {
    this.#notes.runs.refresh();
    return this.#records;
  }
  get indexes(): { readonly [Name in RunIndex]: ReadonlyMap<string, ReadonlySet<string>> } {
    this.#notes.runs.refresh();
    return this.#indexes;
  }
  get timers(): ReadonlyMap<string, TimerRow> {
    this.#notes.timers.refresh();
    return this.#timers;
  }
  get bindings(): { readonly size: number; values(): Iterable<Stored<BindingRow>> } {
    this.#notes.bindings.refresh();
    return this.#bindings;
  }
  /** By the run for which they are held. */
  get heldItems(): ReadonlyMap<string, ReadonlySet<number>> {
    this.#notes.held.refresh();
    return this.#heldItems;
  }

  clear(): void {
    for (const notes of Object.values(this.#notes)) notes.clear();
    for (const map of [this.#runByPos, this.#records, this.#timers, this.#bindings]) map.clear();
    for (const map of [this.#heldItems, this.#holders, ...Object.values(this.#indexes)]) map.clear();
  }

  #takeHeld(seq: Key, holder: string | undefined): void {
    const before = this.#holders.get(seq);
    if (before !== undefined) {
      const left = this.#heldItems.get(before);
      left?.delete(Number(seq));
      if (left?.size === 0) this.#heldItems.delete(before);
      this.#holders.delete(seq);
    }
    if (holder === undefined) return;
    this.#holders.set(seq, holder);
    this.#heldItems.set(holder, (this.#heldItems.get(holder) ?? new Set()).add(Number(seq)));
  }

  #takeRun(pos: Key, row: RunRow | undefined): void {
    const before = this.#runByPos.get(pos);
    if (before !== undefined)
      for (const [index, key] of listKeys(before)) drop(this.#indexes[index], key, before.runId);
    if (row === undefined) {
      this.#runByPos.delete(pos);
      if (before !== undefined) this.#records.delete(before.runId);
      return;
    }
    this.#runByPos.set(pos, row);
    this.#records.set(row.runId, { row });
    for (const [index, key] of listKeys(row)) {
      const ids = this.#indexes[index];
      ids.set(key, (ids.get(key) ?? new Set()).add(row.runId));
    }
  }
}

function put<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function listKeys(row: RunRow): readonly (readonly [index: RunIndex, key: string])[] {
  const always: (readonly [RunIndex, string])[] = [
    ["state", row.state],
    ["requester", row.requesterSessionKey],
    ["child", row.childSessionKey],
  ];
  if (row.state === "ended") return row.settledBy === undefined ? [...always, ["unsettled", "unsettled"]] : always;
  always.push(["unfinishedChild", row.childSessionKey]);
  if (row.parentRunId !== undefined) always.push(["unfinishedParent", row.parentRunId]);
  return always;
}

function drop(index: Map<string, Set<string>>, key: string, runId: string): void {
  const ids = index.get(key);
  ids?.delete(runId);
  if (ids?.size === 0) index.delete(key);
}
