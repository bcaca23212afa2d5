import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { FiredTimer, NewTimer } from "@banyan/store";
import { ITEM_STATE, ITEM_WAKE } from "../database/code.ts";

/** A turn of the item runs or is still to run. */
const AWAITED = `seq = ?4 AND state IN (${ITEM_STATE.waiting}, ${ITEM_STATE.active}) AND wake IS NOT ${ITEM_WAKE.append}`;

/** What is due once. */
export class TimerTable {
  readonly #arm: StatementSync;
  readonly #armForItem: StatementSync;
  readonly #end: StatementSync;
  readonly #stands: StatementSync;
  readonly #remove: StatementSync;

  constructor(database: DatabaseSync) {
    this.#arm = database.prepare(
      "INSERT OR REPLACE INTO timers (id, kind, subject, armed_at, due_at) VALUES (?, ?, ?, ?, ?)",
    );
    // Of its own, so that other timers bind nothing that they do not have.
    this.#armForItem = database.prepare(
      `INSERT OR REPLACE INTO timers (id, kind, subject, item_seq, armed_at, due_at) VALUES (?1, ?2, ?3, ?4, ?5,
         iif(EXISTS (SELECT 1 FROM items WHERE ${AWAITED}), ?6, ?5))`,
    );
    this.#end = database.prepare("DELETE FROM timers WHERE id = ?");
    this.#stands = database.prepare("SELECT 1 FROM timers WHERE id = ? AND due_at = ?");
    this.#remove = database.prepare("DELETE FROM timers WHERE id = ? AND due_at = ?");
  }

  arm(timers: readonly NewTimer[], nowMs: number): void {
    for (const { id, kind, subject, dueInMs, itemSeq } of timers) {
      const dueAtMs = nowMs + dueInMs;
      if (itemSeq === undefined) this.#arm.run(id, kind, subject, nowMs, dueAtMs);
      else this.#armForItem.run(id, kind, subject, itemSeq, nowMs, dueAtMs);
    }
  }

  end(ids: readonly string[]): void {
    for (const id of ids) this.#end.run(id);
  }

  /** Whether a step's timer is armed as it was read; true for a step without one. */
  stands(timer: FiredTimer | undefined): boolean {
    return timer === undefined || this.#stands.get(timer.id, timer.dueAtMs) !== undefined;
  }

  /** It was done, and goes, unless it was armed anew. */
  settle(timer: FiredTimer | undefined): void {
    if (timer !== undefined) this.#remove.run(timer.id, timer.dueAtMs);
  }
}
