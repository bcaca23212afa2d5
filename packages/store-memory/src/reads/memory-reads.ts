import type { Clock } from "@banyan/plugin-sdk";
import type { StoreError, StoreReads, WriterRow } from "@banyan/plugin-sdk/store";
import { listEntriesOfItem } from "../tables/entry-table.ts";
import { countWaiting } from "../tables/lane-table.ts";
import { listPending } from "../tables/pairing-table.ts";
import { countRuns, findRun, findRunByDedupe } from "../tables/run-table.ts";
import { pairKey, type Tables } from "../tables/tables.ts";
import { listDeliveries, listReceipts } from "./delivery-list.ts";
import { listHistory } from "./history-list.ts";
import { listOpenItems, listReadyLanes, listWaitingCommands } from "./lane-list.ts";
import { listAudit, listPairings, listRoutes, readLinkDesk } from "./route-list.ts";
import { countUnfinished, listBindingsOf, listRuns, listTimers } from "./run-list.ts";
import { listEntries, listSessions } from "./session-list.ts";

/** `findEnd`: why the store no longer answers, where it does not. */
export function createMemoryReads(
  tables: Tables,
  clock: Pick<Clock, "now">,
  findEnd: () => StoreError | undefined,
): StoreReads {
  async function answer<T>(read: () => T): Promise<T> {
    const end = findEnd();
    if (end) throw end;
    return read();
  }
  const sessionAt = (key: string | undefined) => (key === undefined ? undefined : tables.sessions.get(key));

  return {
    session: (key) => answer(() => tables.sessions.get(key)),
    sessionById: (sessionId) => answer(() => sessionAt(tables.sessionKeyById.get(sessionId))),
    sessionByFile: (agentId, file) => answer(() => sessionAt(tables.sessionKeyByFile.get(pairKey(agentId, file)))),
    sessions: (query) => answer(() => listSessions(tables, query)),
    entries: (query) => answer(() => listEntries(tables, query)),
    entriesOfItem: ({ itemSeq }) => answer(() => listEntriesOfItem(tables, itemSeq)),
    lane: (lane) =>
      answer(() => {
        const record = tables.lanes.get(lane);
        const row = { lane, epoch: record?.epoch ?? 0, waiting: countWaiting(record), active: record?.active ?? [] };
        return record?.owner === undefined ? row : { ...row, owner: record.owner };
      }),
    item: (seq) => answer(() => tables.items.get(seq)?.row),
    itemByDedupe: (dedupe) => answer(() => tables.items.get(tables.seqByDedupe.get(dedupe) ?? 0)?.row),
    openItems: (query) => answer(() => listOpenItems(tables, query)),
    run: (runId) => answer(() => findRun(tables, runId)),
    runByDedupe: (dedupe) => answer(() => findRunByDedupe(tables, dedupe)),
    runs: (query) => answer(() => listRuns(tables, query)),
    unfinishedRuns: (query) => answer(() => countUnfinished(tables, query)),
    timers: (query) => answer(() => listTimers(tables, query)),
    bindings: ({ sessionKey }) => answer(() => listBindingsOf(tables, sessionKey)),
    readyLanes: (query) => answer(() => listReadyLanes(tables, query)),
    waitingCommands: (query) => answer(() => listWaitingCommands(tables, query)),
    deliveries: (query) => answer(() => listDeliveries(tables, query)),
    delivery: (id) => answer(() => tables.deliveries.get(id)?.row),
    claimant: (id) => answer(() => tables.deliveries.get(tables.claimants.get(id) ?? "")?.row),
    receipts: (query) => answer(() => listReceipts(tables, query)),
    history: (query) => answer(() => listHistory(tables, query)),
    cursor: (channel, account) => answer(() => tables.cursors.get(pairKey(channel, account))),
    writers: (sessionKey) => answer(() => (tables.writers.get(sessionKey) ?? []).toSorted(byChannelAndPeer)),
    dayUsed: ({ subject, day }) => answer(() => tables.days.get(pairKey(subject, day))?.used),
    routes: () => answer(() => listRoutes(tables)),
    pairings: (query) => answer(() => listPairings(tables, query, clock.now())),
    linkDesk: (query) => answer(() => readLinkDesk(tables, query, clock.now())),
    audit: (query) => answer(() => listAudit(tables, query)),
    counts: () =>
      answer(() => ({
        sessions: tables.sessions.size - tables.archivedKeys.size,
        waitingItems: tables.waitingItems,
        activeLanes: tables.ownedLanes.size,
        unsettledDeliveries: [...tables.unsettledDeliveries.values()].reduce((sum, ids) => sum + ids.size, 0),
        pendingPairings: listPending(tables, clock.now()).length,
        unfinishedRuns: tables.runs.records.size - countRuns(tables, "state", "ended"),
      })),
  };
}

function byChannelAndPeer(one: WriterRow, other: WriterRow): number {
  if (one.channel !== other.channel) return one.channel < other.channel ? -1 : 1;
  return one.peer < other.peer ? -1 : 1;
}
