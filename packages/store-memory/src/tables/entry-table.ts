import { type EntryRow, type NewEntry, sealEntryBody } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

export interface EntryPlace {
  /** Of a transcript that begins; one that stands keeps its own. */
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly itemSeq?: number;
}

/** Appends what is not there already. */
export function appendEntries(tables: Tables, place: EntryPlace, entries: readonly NewEntry[]): void {
  if (entries.length === 0) return;
  const { sessionId, itemSeq } = place;
  const rows = listOf(tables.entries, sessionId);
  const sessionKey = tables.transcriptKeys.get(sessionId) ?? place.sessionKey;
  tables.transcriptKeys.set(sessionId, sessionKey);
  for (const entry of entries) {
    if (tables.entryIds.has(entry.id)) continue;
    const seq = rows.length + 1;
    rows.push(Object.freeze({ id: entry.id, ...place, sessionKey, seq, body: sealEntryBody(seq, entry.body) }));
    tables.entryIds.add(entry.id);
    if (itemSeq !== undefined) listOf(tables.entriesByItem, itemSeq).push({ sessionId, seq });
  }
}

export function hasFirst(tables: Tables, entries: readonly NewEntry[]): boolean {
  const first = entries[0];
  return first !== undefined && tables.entryIds.has(first.id);
}

/** The last one tells a repeat: what opens a turn may stand already, under another item. */
export function hasLast(tables: Tables, entries: readonly NewEntry[]): boolean {
  const last = entries.at(-1);
  return last !== undefined && tables.entryIds.has(last.id);
}

export function listEntriesOfItem(tables: Tables, itemSeq: number): readonly EntryRow[] {
  const places = tables.entriesByItem.get(itemSeq) ?? [];
  return places.flatMap(({ sessionId, seq }) => tables.entries.get(sessionId)?.[seq - 1] ?? []);
}

/** Its entries stand under this session key from now on. */
export function setTranscriptKey(tables: Tables, sessionId: string, sessionKey: string): void {
  if (tables.transcriptKeys.get(sessionId) === sessionKey) return;
  tables.transcriptKeys.set(sessionId, sessionKey);
  const rows = tables.entries.get(sessionId);
  if (rows)
    tables.entries.set(
      sessionId,
      rows.map((row) => Object.freeze({ ...row, sessionKey })),
    );
}

export function removeTranscript(tables: Tables, sessionId: string): void {
  for (const { id, itemSeq } of tables.entries.get(sessionId) ?? []) {
    tables.entryIds.delete(id);
    if (itemSeq !== undefined) removePlaces(tables, itemSeq, sessionId);
  }
  tables.entries.delete(sessionId);
  tables.transcriptKeys.delete(sessionId);
}

function removePlaces({ entriesByItem }: Tables, itemSeq: number, sessionId: string): void {
  const left = (entriesByItem.get(itemSeq) ?? []).filter((place) => place.sessionId !== sessionId);
  if (left.length > 0) entriesByItem.set(itemSeq, left);
  else entriesByItem.delete(itemSeq);
}

function listOf<K, R>(lists: Map<K, R[]>, key: K): R[] {
  const found = lists.get(key);
  if (found) return found;
  const created: R[] = [];
  lists.set(key, created);
  return created;
}
