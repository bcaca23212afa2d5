import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { BindEffect, NewBinding } from "@banyan/store";
import { BINDING_KIND } from "../database/code.ts";
import { readNumber, readText } from "../database/column.ts";
import type { RouteRevision } from "./route-revision.ts";

/** Places whose messages go to a child. Each change is one of the routes. */
export class BindingTable {
  readonly #revision: RouteRevision;
  readonly #idAt: StatementSync;
  readonly #stands: StatementSync;
  readonly #changeTimes: StatementSync;
  readonly #removeAt: StatementSync;
  readonly #removeOf: StatementSync;
  readonly #removeThreadsOf: StatementSync;
  readonly #insert: StatementSync;
  readonly #moveSession: StatementSync;
  readonly #all: StatementSync;
  readonly #moveAddress: StatementSync;

  constructor(database: DatabaseSync, revision: RouteRevision) {
    this.#revision = revision;
    this.#idAt = database.prepare("SELECT id FROM bindings WHERE address = ?");
    this.#stands = database.prepare(
      "SELECT 1 FROM bindings WHERE address = ? AND id = ? AND idle_ms IS ? AND max_age_ms IS ?",
    );
    this.#changeTimes = database.prepare(
      "UPDATE bindings SET idle_ms = ?, max_age_ms = ? WHERE address = ? AND id = ?",
    );
    this.#removeAt = database.prepare("DELETE FROM bindings WHERE address = ?");
    this.#removeOf = database.prepare("DELETE FROM bindings WHERE session_key = ?");
    this.#removeThreadsOf = database.prepare(
      `DELETE FROM bindings WHERE session_key = ? AND kind = ${BINDING_KIND.thread}`,
    );
    this.#insert = database.prepare(
      `INSERT INTO bindings (id, address, session_key, kind, created_at, idle_ms, max_age_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#moveSession = database.prepare("UPDATE bindings SET session_key = ? WHERE session_key = ?");
    this.#all = database.prepare("SELECT pos, address FROM bindings WHERE pos > 0 ORDER BY pos");
    this.#moveAddress = database.prepare("UPDATE bindings SET address = ? WHERE pos = ?");
  }

  isBound(address: string): boolean {
    return this.#findIdAt(address) !== undefined;
  }

  stands(effect: BindEffect): boolean {
    if (effect.binding === null) return this.#findIdAt(effect.address) !== effect.bindingId;
    const { id, idleMs, maxAgeMs } = effect.binding;
    return this.#stands.get(effect.address, id, idleMs ?? null, maxAgeMs ?? null) !== undefined;
  }

  /** Another one at the address goes; the same one keeps its age. */
  write({ id, address, sessionKey, kind, idleMs, maxAgeMs }: NewBinding, nowMs: number): void {
    if (this.#changeTimes.run(idleMs ?? null, maxAgeMs ?? null, address, id).changes === 0) {
      this.#removeAt.run(address);
      this.#insert.run(id, address, sessionKey, BINDING_KIND[kind], nowMs, idleMs ?? null, maxAgeMs ?? null);
    }
    this.#revision.raise();
  }

  removeAt(address: string): void {
    if (this.#removeAt.run(address).changes > 0) this.#revision.raise();
  }

  removeOf(sessionKey: string): void {
    if (this.#removeOf.run(sessionKey).changes > 0) this.#revision.raise();
  }

  removeThreadsOf(sessionKey: string): void {
    if (this.#removeThreadsOf.run(sessionKey).changes > 0) this.#revision.raise();
  }

  moveSession(from: string, to: string): void {
    if (this.#moveSession.run(to, from).changes > 0) this.#revision.raise();
  }

  /** One whose new address is taken goes. Whether any moved. */
  moveAddresses(move: (address: string) => string): boolean {
    const moved = this.#all.all().filter((row) => move(readText(row.address)) !== row.address);
    for (const row of moved) {
      const address = readText(row.address);
      const to = move(address);
      if (!this.isBound(to)) this.#moveAddress.run(to, readNumber(row.pos));
      else this.#removeAt.run(address);
    }
    if (moved.length > 0) this.#revision.raise();
    return moved.length > 0;
  }

  #findIdAt(address: string): string | undefined {
    const row = this.#idAt.get(address);
    return row === undefined ? undefined : readText(row.id);
  }
}
