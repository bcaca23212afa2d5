import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { LinkCodeRow, LinkEffect, LinkWrite, NewLinkCode } from "@banyan/store";
import { readText } from "../database/column.ts";
import type { RouteRevision } from "./route-revision.ts";

/** Whose account is whose, the codes by which people link them, and the codes that did not fit. */
export class LinkTable {
  readonly #revision: RouteRevision;
  readonly #person: StatementSync;
  readonly #set: StatementSync;
  readonly #unset: StatementSync;
  readonly #code: StatementSync;
  readonly #offer: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeOf: StatementSync;
  readonly #fail: StatementSync;

  constructor(database: DatabaseSync, revision: RouteRevision) {
    this.#revision = revision;
    this.#person = database.prepare("SELECT person FROM links WHERE channel = ? AND peer = ?");
    this.#set = database.prepare(
      `INSERT INTO links (channel, peer, person, linked_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (channel, peer) DO UPDATE SET person = excluded.person, linked_at = excluded.linked_at`,
    );
    this.#unset = database.prepare("DELETE FROM links WHERE channel = ? AND peer = ?");
    this.#code = database.prepare("SELECT channel, peer FROM link_codes WHERE code = ? AND expires_at > ?");
    // Replaces the account's earlier code and an expired one of the same letters.
    this.#offer = database.prepare(
      "INSERT OR REPLACE INTO link_codes (code, channel, peer, address, expires_at) VALUES (?, ?, ?, ?, ?)",
    );
    this.#remove = database.prepare("DELETE FROM link_codes WHERE code = ?");
    this.#removeOf = database.prepare("DELETE FROM link_codes WHERE channel = ? AND peer = ?");
    this.#fail = database.prepare(
      `INSERT INTO link_failures (channel, peer, count, expires_at) VALUES (:channel, :peer, 1, :end)
       ON CONFLICT (channel, peer) DO UPDATE
       SET count = CASE WHEN expires_at > :now THEN count + 1 ELSE 1 END, expires_at = :end`,
    );
  }

  stands({ channel, peer, person }: LinkWrite): boolean {
    return (this.#person.get(channel, peer)?.person ?? null) === person;
  }

  /** What stands as it should is left alone. */
  write(writes: readonly LinkWrite[], nowMs: number): void {
    const changed = writes.filter((write) => {
      if (this.stands(write)) return false;
      const { channel, peer, person } = write;
      if (person === null) this.#unset.run(channel, peer);
      else this.#set.run(channel, peer, person, nowMs);
      return true;
    });
    if (changed.length > 0) this.#revision.raise();
  }

  /** Whose code it is, while it holds. */
  findCode(code: string, nowMs: number): Pick<LinkCodeRow, "channel" | "peer"> | undefined {
    const row = this.#code.get(code, nowMs);
    return row === undefined ? undefined : { channel: readText(row.channel), peer: readText(row.peer) };
  }

  offerCode({ code, channel, peer, address, ttlMs }: NewLinkCode, nowMs: number): void {
    this.#offer.run(code, channel, peer, address, nowMs + ttlMs);
  }

  removeCode(code: string): void {
    this.#remove.run(code);
  }

  removeCodeOf({ channel, peer }: Pick<LinkCodeRow, "channel" | "peer">): void {
    this.#removeOf.run(channel, peer);
  }

  addFailure({ channel, peer, windowMs }: NonNullable<LinkEffect["failure"]>, nowMs: number): void {
    this.#fail.run({ channel, peer, now: nowMs, end: nowMs + windowMs });
  }
}
