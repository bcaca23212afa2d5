import { resolve } from "node:path";
import type { StoreReads } from "@banyan/store";
import { openReadOnly } from "./database/open-database.ts";
import { createReads } from "./reads/create-reads.ts";
import type { SqliteReads } from "./reads/read-request.ts";
import { createSystemClock } from "./system-clock.ts";

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
  const clock = createSystemClock();
  return {
    read: createDirectReads(reads, () => clock.now()),
    close() {
      if (database.isOpen) database.close();
    },
  };
}

function createDirectReads(reads: SqliteReads, now: () => number): StoreReads {
  return {
    session: async (key) => reads.session(key, now()),
    sessionById: async (sessionId) => reads.sessionById(sessionId, now()),
    sessionByFile: async (agentId, file) => reads.sessionByFile(agentId, file, now()),
    sessions: async (query) => reads.sessions(query, now()),
    entries: async (query) => reads.entries(query, now()),
    entriesOfItem: async (query) => reads.entriesOfItem(query, now()),
    lane: async (lane) => reads.lane(lane, now()),
    item: async (seq) => reads.item(seq, now()),
    itemByDedupe: async (dedupe) => reads.itemByDedupe(dedupe, now()),
    openItems: async (query) => reads.openItems(query, now()),
    run: async (runId) => reads.run(runId, now()),
    runByDedupe: async (dedupe) => reads.runByDedupe(dedupe, now()),
    runs: async (query) => reads.runs(query, now()),
    unfinishedRuns: async (query) => reads.unfinishedRuns(query, now()),
    timers: async (query) => reads.timers(query, now()),
    bindings: async (query) => reads.bindings(query, now()),
    readyLanes: async (query) => reads.readyLanes(query, now()),
    waitingCommands: async (query) => reads.waitingCommands(query, now()),
    deliveries: async (query) => reads.deliveries(query, now()),
    delivery: async (id) => reads.delivery(id, now()),
    claimant: async (id) => reads.claimant(id, now()),
    receipts: async (query) => reads.receipts(query, now()),
    history: async (query) => reads.history(query, now()),
    cursor: async (channel, account) => reads.cursor(channel, account, now()),
    dayUsed: async (query) => reads.dayUsed(query, now()),
    writers: async (sessionKey) => reads.writers(sessionKey, now()),
    routes: async () => reads.routes(now()),
    pairings: async (query) => reads.pairings(query, now()),
    linkDesk: async (query) => reads.linkDesk(query, now()),
    audit: async (query) => reads.audit(query, now()),
    counts: async () => reads.counts(now()),
  };
}
