import { resolve } from "node:path";
import type { StoreReads } from "@banyan/plugin-sdk/store";
import { openReadOnly } from "./database/open-database.ts";
import { createReads } from "./reads/create-reads.ts";
import type { SqliteReads } from "./reads/read-request.ts";

export interface SqliteReader {
  readonly read: StoreReads;
  /** Repeatable. */
  close(): void;
}

/**
 * Reads a state directory without its lock, beside a running gateway or without one. For commands of the terminal: it
 * works in the caller's thread. Throws a `StoreError` (`unusable`, `newer_schema`, `corrupt`).
 */
export function openSqliteReader(stateDir: string): SqliteReader {
  const database = openReadOnly(resolve(stateDir));
  const reads = createReads(database);
  return {
    read: createAsyncReads(reads),
    close() {
      if (database.isOpen) database.close();
    },
  };
}

function createAsyncReads(reads: SqliteReads): StoreReads {
  return {
    session: async (key) => reads.session(key),
    sessionById: async (sessionId) => reads.sessionById(sessionId),
    sessionByFile: async (agentId, file) => reads.sessionByFile(agentId, file),
    sessions: async (query) => reads.sessions(query),
    entries: async (query) => reads.entries(query),
    entriesOfItem: async (query) => reads.entriesOfItem(query),
    lane: async (lane) => reads.lane(lane),
    readyLanes: async (query) => reads.readyLanes(query),
    waitingCommands: async (query) => reads.waitingCommands(query),
    deliveries: async (query) => reads.deliveries(query),
    delivery: async (id) => reads.delivery(id),
    history: async (query) => reads.history(query),
    cursor: async (channel, account) => reads.cursor(channel, account),
    writers: async (sessionKey) => reads.writers(sessionKey),
    counts: async () => reads.counts(),
  };
}
