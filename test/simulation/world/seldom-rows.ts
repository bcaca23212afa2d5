import type { StatementSync } from "node:sqlite";
import type { ChatMoveRow, EntryRow, LinkRow, PairingRow } from "@banyan/store";
import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import { readNumber, readText } from "../../../packages/store-sqlite/src/database/column.ts";
import { PAIRING_COLUMNS, readPairingRow } from "../../../packages/store-sqlite/src/reads/pairing-row.ts";
import { ENTRY_COLUMNS, readEntryRow } from "../../../packages/store-sqlite/src/reads/session-row.ts";

/** Rows that are asked for seldom: they are looked up when they are. */
export class SeldomRows {
  readonly #prepare: (sql: string) => StatementSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor({ database }: InlineDatabase) {
    this.#prepare = (sql) => database.prepare(sql);
  }

  findSeq(dedupe: string): number | undefined {
    return this.#all("SELECT seq FROM items WHERE dedupe = ?", dedupe).map((row) => readNumber(row.seq))[0];
  }

  /** The key of the session in whose transcript the entries of `sessionId` are. */
  findTranscriptKey(sessionId: string): string | undefined {
    const [row] = this.#all("SELECT session_key FROM transcripts WHERE session_id = ?", sessionId);
    return row && readText(row.session_key);
  }

  listEntriesOfItem(itemSeq: number): readonly EntryRow[] {
    return this.#listEntries("WHERE item_seq = ? ORDER BY pos", itemSeq);
  }

  listEntriesOf(sessionId: string): readonly EntryRow[] {
    return this.#listEntries("WHERE session_id = ? ORDER BY entries.seq", sessionId);
  }

  listEntries(): readonly EntryRow[] {
    return this.#listEntries("ORDER BY transcript_id, entries.seq");
  }

  listPairings(): readonly PairingRow[] {
    return this.#all(`SELECT ${PAIRING_COLUMNS} FROM pairings ORDER BY id`).map(readPairingRow);
  }

  listLinks(): readonly LinkRow[] {
    return this.#all("SELECT channel, peer, person, linked_at FROM links ORDER BY id").map((row) => ({
      channel: readText(row.channel),
      peer: readText(row.peer),
      person: readText(row.person),
      linkedAtMs: readNumber(row.linked_at),
    }));
  }

  listChatMoves(): readonly ChatMoveRow[] {
    return this.#all("SELECT channel, from_chat, to_chat FROM chat_moves ORDER BY id").map((row) => ({
      channel: readText(row.channel),
      fromChat: readText(row.from_chat),
      toChat: readText(row.to_chat),
    }));
  }

  #listEntries(condition: string, ...values: readonly (string | number)[]): readonly EntryRow[] {
    const sql = `SELECT ${ENTRY_COLUMNS} FROM entries JOIN transcripts ON transcripts.id = entries.transcript_id`;
    return this.#all(`${sql} ${condition}`, ...values).map(readEntryRow);
  }

  #all(sql: string, ...values: readonly (string | number)[]): ReturnType<StatementSync["all"]> {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql);
    this.#statements.set(sql, statement);
    return statement.all(...values);
  }
}
