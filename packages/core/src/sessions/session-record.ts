import type { SessionEntry } from "@banyan/plugin-sdk";
import type { SessionRow, SessionWrite } from "@banyan/store";
import { countDayUse } from "./day-count.ts";
import { parseSessionEntry } from "./parse-session-entry.ts";

/** A session as the core holds it: the parsed record and the revision it was read at. */
export interface SessionRecord {
  readonly key: string;
  readonly agentId: string;
  readonly revision: number;
  readonly entry: SessionEntry;
}

export function parseSessionRow(row: SessionRow): SessionRecord {
  return { key: row.key, agentId: row.agentId, revision: row.revision, entry: parseSessionEntry(row.body) };
}

/** What a record is written over: what it has used by then is counted already. Of a new one there is nothing. */
export interface WrittenRecord extends Omit<SessionRecord, "entry"> {
  readonly entry?: SessionEntry;
}

/** The write that replaces a record by an entry, refused when somebody else has written since. */
export function buildSessionWrite(record: WrittenRecord, entry: SessionEntry): SessionWrite {
  const counts = countDayUse(record.entry, entry);
  return {
    key: record.key,
    agentId: record.agentId,
    sessionId: entry.sessionId,
    file: entry.sessionFile,
    expectRevision: record.revision,
    body: JSON.stringify(entry),
    ...(counts === undefined ? {} : { counts }),
  };
}
