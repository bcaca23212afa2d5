import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionMove, SessionRow, SessionWrite } from "@banyan/store";
import { readNumber, readText } from "../database/column.ts";
import { prepareRows } from "../database/row-statement.ts";
import { readSessionRow, SESSION_COLUMNS } from "../reads/session-row.ts";
import type { DayTable } from "./day-table.ts";

/** What a write of a session would come to; decided before the first write of its step. */
export type SessionDecision =
  | { readonly kind: "insert" }
  | { readonly kind: "update" }
  | { readonly kind: "keep"; readonly revision: number }
  | { readonly kind: "conflict" };

export interface SessionStanding {
  readonly revision: number;
  readonly isArchived: boolean;
}

/** Sessions and the session ids they ever had. */
export class SessionTable {
  /** Agents whose sessions changed since somebody took the set. */
  changedAgents: Set<string> = new Set();
  readonly #days: DayTable;
  readonly #standing: StatementSync;
  readonly #row: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #replace: StatementSync;
  readonly #transcript: StatementSync;
  readonly #move: StatementSync;
  readonly #moveTranscripts: StatementSync;
  readonly #archived: StatementSync;

  constructor(database: DatabaseSync, days: DayTable) {
    this.#days = days;
    this.#standing = prepareRows(database, "SELECT revision, archived_at FROM sessions WHERE key = ?");
    this.#row = database.prepare(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE key = ?`);
    this.#insert = database.prepare(
      `INSERT INTO sessions (key, session_id, agent_id, file, revision, updated_at, body)
       VALUES (?, ?, ?, ?, 1, ?, ?)`,
    );
    this.#update = database.prepare(
      `UPDATE sessions SET revision = revision + 1, updated_at = ?, body = ?
       WHERE key = ? AND revision = ? AND session_id = ? AND agent_id = ? AND file = ?`,
    );
    this.#replace = database.prepare(
      `UPDATE sessions SET revision = revision + 1, updated_at = ?, body = ?, session_id = ?, agent_id = ?, file = ?
       WHERE key = ?`,
    );
    this.#transcript = database.prepare(
      `INSERT INTO transcripts (session_id, session_key, agent_id, file) VALUES (?, ?, ?, ?)
       ON CONFLICT (session_id) DO UPDATE
       SET session_key = excluded.session_key, agent_id = excluded.agent_id, file = excluded.file`,
    );
    this.#move = database.prepare(
      `UPDATE sessions SET key = ?, body = ?, revision = revision + 1, updated_at = ? WHERE key = ?
       RETURNING agent_id`,
    );
    this.#moveTranscripts = database.prepare("UPDATE transcripts SET session_key = ? WHERE session_key = ?");
    this.#archived = database.prepare(
      `UPDATE sessions SET archived_at = ?, is_left = ?, revision = revision + 1, updated_at = ? WHERE key = ?
       RETURNING agent_id`,
    );
  }

  /** The session goes on under another key, which is free, and all its transcripts with it. */
  move({ from, to, body, counts = [] }: SessionMove, nowMs: number): void {
    for (const count of counts) this.#days.count(count, nowMs);
    const agentId = this.#move.get(to, body, nowMs, from)?.agent_id;
    this.#moveTranscripts.run(to, from);
    this.changedAgents.add(readText(agentId));
  }

  findStanding(key: string): SessionStanding | undefined {
    const row = this.#standing.get(key);
    return row === undefined ? undefined : { revision: readNumber(row[0]), isArchived: row[1] !== null };
  }

  findRevision(key: string): number | undefined {
    return this.findStanding(key)?.revision;
  }

  /** Whether it stands and is not archived. */
  isListed(key: string): boolean {
    return this.findStanding(key)?.isArchived === false;
  }

  /** Puts a session away. `how`: a child goes for good with its run, another session by itself. */
  archive(key: string, how: "with_run" | "alone", nowMs: number): void {
    this.#setArchived(key, nowMs, how === "alone" ? 1 : null, nowMs);
  }

  /** One that was put away is listed again. */
  reopen(key: string, nowMs: number): void {
    this.#setArchived(key, null, null, nowMs);
  }

  find(key: string): SessionRow | undefined {
    const row = this.#row.get(key);
    return row === undefined ? undefined : readSessionRow(row);
  }

  /** For a claim: nothing when the caller knows the present revision, which may have been read just before. */
  findUnlessKnown(
    key: string,
    knownRevision: number | undefined,
    presentRevision: number | undefined = knownRevision === undefined ? undefined : this.findRevision(key),
  ): SessionRow | undefined {
    return knownRevision !== undefined && presentRevision === knownRevision ? undefined : this.find(key);
  }

  /**
   * Decides and writes in one. Nearly every record keeps its session, so the write itself looks at the revision. Answers
   * the revision that now stands, `undefined` for a conflict, which has written nothing.
   */
  replace(write: SessionWrite, nowMs: number): number | undefined {
    if (write.expectRevision > 0 && this.#updateSame(write, nowMs)) return write.expectRevision + 1;
    const decision = this.decide(write);
    return decision.kind === "conflict" ? undefined : this.write(write, decision, nowMs);
  }

  decide(write: SessionWrite): SessionDecision {
    const present = this.findRevision(write.key);
    if (write.expectRevision === 0) {
      return present === undefined ? { kind: "insert" } : { kind: "keep", revision: present };
    }
    return present === write.expectRevision ? { kind: "update" } : { kind: "conflict" };
  }

  /** Does what was decided, in the same transaction. Answers the revision that now stands. */
  write(write: SessionWrite, decision: Exclude<SessionDecision, { kind: "conflict" }>, nowMs: number): number {
    if (decision.kind === "keep") return decision.revision;
    this.changedAgents.add(write.agentId);
    if (decision.kind === "insert") {
      this.#insert.run(write.key, write.sessionId, write.agentId, write.file, nowMs, write.body);
      this.#transcript.run(write.sessionId, write.key, write.agentId, write.file);
      this.#count(write, nowMs);
      return 1;
    }
    if (!this.#updateSame(write, nowMs)) {
      const before = this.find(write.key);
      if (before !== undefined) this.changedAgents.add(before.agentId);
      this.#replace.run(nowMs, write.body, write.sessionId, write.agentId, write.file, write.key);
      this.#count(write, nowMs);
      this.#transcript.run(write.sessionId, write.key, write.agentId, write.file);
    }
    return write.expectRevision + 1;
  }

  /** Whether none of them would be a conflict. */
  canWriteAll(writes: readonly SessionWrite[]): boolean {
    return writes.every((write) => this.decide(write).kind !== "conflict");
  }

  /** Those that were looked at before. */
  writeAll(writes: readonly SessionWrite[], nowMs: number): void {
    for (const write of writes) {
      const decision = this.decide(write);
      if (decision.kind !== "conflict") this.write(write, decision, nowMs);
    }
  }

  #setArchived(key: string, archivedAtMs: number | null, isLeft: 1 | null, nowMs: number): void {
    const agentId = this.#archived.get(archivedAtMs, isLeft, nowMs, key)?.agent_id;
    if (agentId !== undefined) this.changedAgents.add(readText(agentId));
  }

  /** Whether the session stands at the revision and stays in its file. */
  #updateSame(write: SessionWrite, nowMs: number): boolean {
    const { key, expectRevision, sessionId, agentId, file, body } = write;
    const { changes } = this.#update.run(nowMs, body, key, expectRevision, sessionId, agentId, file);
    if (changes === 0) return false;
    this.changedAgents.add(agentId);
    this.#count(write, nowMs);
    return true;
  }

  #count({ counts }: SessionWrite, nowMs: number): void {
    if (counts !== undefined) this.#days.count(counts, nowMs);
  }
}
