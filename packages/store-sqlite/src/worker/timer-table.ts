import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { FiredTimer, NewTimer } from "@banyan/plugin-sdk/store";

/** What is due once. */
export class TimerTable {
  readonly #arm: StatementSync;
  readonly #end: StatementSync;
  readonly #stands: StatementSync;
  readonly #remove: StatementSync;

  constructor(database: DatabaseSync) {
    this.#arm = database.prepare(
      "INSERT OR REPLACE INTO timers (id, kind, subject, armed_at, due_at) VALUES (?, ?, ?, ?, ?)",
    );
    this.#end = database.prepare("DELETE FROM timers WHERE id = ?");
    this.#stands = database.prepare("SELECT 1 FROM timers WHERE id = ? AND due_at = ?");
    this.#remove = database.prepare("DELETE FROM timers WHERE id = ? AND due_at = ?");
  }

  arm(timers: readonly NewTimer[], nowMs: number): void {
    for (const { id, kind, subject, dueInMs } of timers) this.#arm.run(id, kind, subject, nowMs, nowMs + dueInMs);
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
