import type { SessionEntry } from "@banyan/plugin-sdk";
import type { SessionRow } from "@banyan/store";
import { parseSessionRow, type SessionRecord } from "./session-record.ts";

const MOST_SESSIONS = 10_000;

interface Slot {
  record: SessionRecord;
  /** Accounts known to be on record as writers. */
  readonly writers: Set<string>;
}

/**
 * The records in use, so that a busy session is not parsed for every message. Only a hint: each write carries the
 * revision it was decided on, and the store refuses an old one. The least recently used goes first.
 */
export interface SessionCache {
  find(key: string): SessionRecord | undefined;
  /** Takes a row of the store in; absent means that the cached record is the present one. */
  accept(key: string, row: SessionRow | undefined): SessionRecord;
  /** A write was committed under this revision. */
  advance(record: SessionRecord, entry: SessionEntry, revision: number): void;
  forget(key: string): void;
  hasWriter(key: string, writer: string): boolean;
  addWriter(key: string, writer: string): void;
}

export function createSessionCache(): SessionCache {
  const slots = new Map<string, Slot>();
  const put = (key: string, record: SessionRecord) => {
    const writers = slots.get(key)?.writers ?? new Set<string>();
    slots.delete(key);
    slots.set(key, { record, writers });
    if (slots.size > MOST_SESSIONS) {
      const [oldest] = slots.keys();
      if (oldest !== undefined) slots.delete(oldest);
    }
    return record;
  };
  return {
    find(key) {
      const slot = slots.get(key);
      if (slot === undefined) return undefined;
      slots.delete(key);
      slots.set(key, slot);
      return slot.record;
    },
    accept(key, row) {
      if (row !== undefined) return put(key, parseSessionRow(row));
      const slot = slots.get(key);
      if (slot === undefined) throw new Error(`The session ${key} was taken from the cache: it is not there; read it`);
      return slot.record;
    },
    advance(record, entry, revision) {
      put(record.key, { ...record, entry, revision });
    },
    forget: (key) => void slots.delete(key),
    hasWriter: (key, writer) => slots.get(key)?.writers.has(writer) ?? false,
    addWriter: (key, writer) => void slots.get(key)?.writers.add(writer),
  };
}
