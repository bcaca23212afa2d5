import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type NewEntry, sealEntryBody } from "@banyan/store";
import { readNumber } from "../database/column.ts";
import { prepareRows } from "../database/row-statement.ts";

export interface EntryPlace {
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly itemSeq: number | undefined;
}

/** Transcript entries: appended, never changed, never removed. */
export class EntryTable {
  readonly #transcript: StatementSync;
  readonly #openTranscript: StatementSync;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#transcript = prepareRows(
      database,
      `SELECT id, (SELECT max(seq) FROM entries WHERE transcript_id = transcripts.id) AS last
       FROM transcripts WHERE session_id = ?`,
    );
    this.#openTranscript = database.prepare(
      "INSERT INTO transcripts (session_id, session_key, agent_id, file) VALUES (?, ?, '', '')",
    );
    this.#find = database.prepare("SELECT 1 FROM entries WHERE id = ?");
    this.#insert = database.prepare(
      `INSERT INTO entries (id, transcript_id, seq, item_seq, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    );
  }

  has(id: string): boolean {
    return this.#find.get(id) !== undefined;
  }

  /** Entries that exist are left alone and take no place. */
  append(place: EntryPlace, entries: readonly NewEntry[]): void {
    if (entries.length === 0) return;
    const transcript = this.#getTranscript(place);
    let seq = transcript.lastSeq + 1;
    for (const entry of entries) {
      const body = sealEntryBody(seq, entry.body);
      const { changes } = this.#insert.run(entry.id, transcript.id, seq, place.itemSeq ?? null, body);
      if (changes === 1) seq += 1;
    }
  }

  /** A session id that no session was written with yet gets a row without a file; the session names it later. */
  #getTranscript(place: EntryPlace): { id: number; lastSeq: number } {
    const row = this.#transcript.get(place.sessionId);
    if (row !== undefined) return { id: readNumber(row[0]), lastSeq: row[1] === null ? 0 : readNumber(row[1]) };
    const { lastInsertRowid } = this.#openTranscript.run(place.sessionId, place.sessionKey);
    return { id: Number(lastInsertRowid), lastSeq: 0 };
  }
}
