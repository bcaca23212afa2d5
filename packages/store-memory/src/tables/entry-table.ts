import { type EntryRow, type NewEntry, sealEntryBody } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

export interface EntryPlace {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly itemSeq?: number;
}

/** Appends what is not there already. */
export function appendEntries(tables: Tables, place: EntryPlace, entries: readonly NewEntry[]): void {
  if (entries.length === 0) return;
  const rows = listOf(tables.entries, place.sessionId);
  for (const entry of entries) {
    if (tables.entryIds.has(entry.id)) continue;
    const seq = rows.length + 1;
    const row: EntryRow = Object.freeze({ id: entry.id, ...place, seq, body: sealEntryBody(seq, entry.body) });
    rows.push(row);
    tables.entryIds.add(entry.id);
    if (place.itemSeq !== undefined) listOf(tables.entriesByItem, place.itemSeq).push(row);
  }
}

export function hasFirst(tables: Tables, entries: readonly NewEntry[]): boolean {
  const first = entries[0];
  return first !== undefined && tables.entryIds.has(first.id);
}

function listOf<K>(lists: Map<K, EntryRow[]>, key: K): EntryRow[] {
  const found = lists.get(key);
  if (found) return found;
  const created: EntryRow[] = [];
  lists.set(key, created);
  return created;
}
