import type { EntryRow, SessionRow } from "@banyan/store";
import { type Row, readNumber, readOptional, readText } from "../database/column.ts";

export const SESSION_COLUMNS = "key, session_id, agent_id, file, revision, updated_at, body, archived_at";

export function readSessionRow(row: Row): SessionRow {
  return {
    key: readText(row.key),
    sessionId: readText(row.session_id),
    agentId: readText(row.agent_id),
    file: readText(row.file),
    revision: readNumber(row.revision),
    updatedAtMs: readNumber(row.updated_at),
    body: readText(row.body),
    ...readOptional("archivedAtMs", row.archived_at, readNumber),
  };
}

/** Of `entries` joined with `transcripts`. */
export const ENTRY_COLUMNS = "entries.id, session_id, session_key, seq, item_seq, body";

export function readEntryRow(row: Row): EntryRow {
  return {
    id: readText(row.id),
    sessionId: readText(row.session_id),
    sessionKey: readText(row.session_key),
    seq: readNumber(row.seq),
    ...(row.item_seq === null ? {} : { itemSeq: readNumber(row.item_seq) }),
    body: readText(row.body),
  };
}
