import type { EntryRow, SessionRow, StoreReads } from "@banyan/plugin-sdk/store";
import { sortSessionKeys } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";

type SessionQuery = Parameters<StoreReads["sessions"]>[0];
type EntryQuery = Parameters<StoreReads["entries"]>[0];

export function listSessions(tables: Tables, { agentId, afterKey, limit }: SessionQuery): readonly SessionRow[] {
  const keys = sortSessionKeys(tables);
  const rows: SessionRow[] = [];
  for (let index = findPlaceAfter(keys, afterKey); index < keys.length && rows.length < limit; index += 1) {
    const row = tables.sessions.get(keys[index] ?? "");
    if (row && (agentId === undefined || row.agentId === agentId)) rows.push(row);
  }
  return rows;
}

/** An entry's place in the list is its `seq` − 1, so a page is a slice. */
export function listEntries(tables: Tables, query: EntryQuery): readonly EntryRow[] {
  const { sessionId, afterSeq = 0, limit, newest = false } = query;
  const rows = tables.entries.get(sessionId) ?? [];
  const start = newest ? Math.max(afterSeq, rows.length - limit) : afterSeq;
  return rows.slice(start, start + limit);
}

/** The first place behind a key in an ascending list. */
function findPlaceAfter(keys: readonly string[], afterKey: string | undefined): number {
  if (afterKey === undefined) return 0;
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") <= afterKey) low = middle + 1;
    else high = middle;
  }
  return low;
}
