import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { NewAudit } from "@banyan/plugin-sdk/store";

/** Who decided what by hand; never changed, never removed. */
export class AuditTable {
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("INSERT INTO audit (at, actor, action, detail) VALUES (?, ?, ?, ?)");
  }

  write(audit: NewAudit, nowMs: number): void {
    this.#insert.run(nowMs, audit.actor, audit.action, audit.detail);
  }
}
