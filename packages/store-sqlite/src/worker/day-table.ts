import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { DayCount } from "@banyan/store";

/** What somebody has used up on one day, counted in the step that writes the record of whoever used it. */
export class DayTable {
  readonly #count: StatementSync;
  readonly #removeOld: StatementSync;

  constructor(database: DatabaseSync) {
    this.#count = database.prepare(
      `INSERT INTO day_used (subject, day, turns, tokens, cost_usd, counted_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (subject, day) DO UPDATE
       SET turns = turns + excluded.turns, tokens = tokens + excluded.tokens, cost_usd = cost_usd + excluded.cost_usd`,
    );
    this.#removeOld = database.prepare("DELETE FROM day_used WHERE counted_at <= ?");
  }

  count({ subject, day, turns, tokens, costUsd }: DayCount, nowMs: number): void {
    this.#count.run(subject, day, turns, tokens, costUsd, nowMs);
  }

  prune(latestMs: number): void {
    this.#removeOld.run(latestMs);
  }
}
