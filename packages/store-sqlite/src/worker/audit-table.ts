import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { NewAudit } from "@banyan/store";

/** Who decided what by hand, and what agents did; never changed. */
export class AuditTable {
  readonly #insert: StatementSync;
  readonly #removeOld: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("INSERT INTO audit (at, actor, action, detail) VALUES (?, ?, ?, ?)");
    // Ids grow with time, so the first ones are looked at alone. The newest stays, so that no id comes again.
    this.#removeOld = database.prepare(
      `DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id > 0 ORDER BY id LIMIT ?)
         AND at <= ? AND id < (SELECT max(id) FROM audit)`,
    );
  }

  write(audit: NewAudit, nowMs: number): void {
    this.#insert.run(nowMs, audit.actor, audit.action, audit.detail);
  }

  /** How many went. */
  prune(latestMs: number, limit: number): number {
    return Number(this.#removeOld.run(limit, latestMs).changes);
  }
}
