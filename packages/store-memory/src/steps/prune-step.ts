import type { ItemState, PruneStep, StepResults } from "@banyan/plugin-sdk/store";
import { pruneAudit } from "../tables/audit-table.ts";
import { pruneDays } from "../tables/day-table.ts";
import { pruneHistory } from "../tables/history-table.ts";
import type { DeliveryRecord, ItemRecord, Tables } from "../tables/tables.ts";
import { pruneRuns } from "./prune-runs.ts";

const SETTLED_ITEMS: readonly ItemState[] = ["done", "quarantined", "refused"];

export function applyPrune(tables: Tables, step: PruneStep, nowMs: number): StepResults["prune"] {
  const latestMs = nowMs - step.olderThanMs;
  const items = findOld(tables.items.values(), step.limit, ({ row }) => isSettledItem(row.state, row.receivedAtMs));
  const deliveries = findOld(
    tables.deliveries.values(),
    step.limit,
    (record) => record.row.createdAtMs <= latestMs && isDone(tables, record),
  );
  for (const item of items) removeItem(tables, item);
  for (const delivery of deliveries) removeDelivery(tables, delivery);
  const rows = [...items, ...deliveries].map((record) => record.row);
  const removed = new Set([...items.map(({ row }) => row.seq), ...deliveries.map(({ row }) => row.pos)]);
  pruneHistory(tables, new Set(rows.map((row) => row.address)), (pos) => !removed.has(pos));
  for (const [writeId, { atMs }] of tables.sessionWrites) if (atMs <= latestMs) tables.sessionWrites.delete(writeId);
  removeExpired(tables, latestMs);
  pruneDays(tables, latestMs);
  const { runsOlderThanMs, auditOlderThanMs, limit } = step;
  const runs = runsOlderThanMs === undefined ? 0 : pruneRuns(tables, nowMs - runsOlderThanMs, limit);
  const lines = auditOlderThanMs === undefined ? 0 : pruneAudit(tables, nowMs - auditOlderThanMs, limit);
  return { status: "done", removed: removed.size + runs + lines };

  function isSettledItem(state: ItemState, receivedAtMs: number): boolean {
    return receivedAtMs <= latestMs && SETTLED_ITEMS.includes(state);
  }
}

/** A completion that reached nobody stays until the operator drops it. */
function isDone(tables: Tables, { row, isDropped = false }: DeliveryRecord): boolean {
  if (tables.unsettledDeliveries.has(row.state)) return false;
  return row.kind !== "completion" || isDropped || row.state === "sent" || row.state === "sent_maybe_repeated";
}

/** The maps are in the order of their rows' places, so the first ones are the oldest. */
function findOld<R>(records: Iterable<R>, limit: number, isOld: (record: R) => boolean): readonly R[] {
  const found: R[] = [];
  for (const record of records) {
    if (found.length >= limit) break;
    if (isOld(record)) found.push(record);
  }
  return found;
}

function removeItem(tables: Tables, { row, dedupe }: ItemRecord): void {
  tables.items.delete(row.seq);
  tables.seqByDedupe.delete(dedupe);
}

function removeDelivery(tables: Tables, { row, quietKey }: DeliveryRecord): void {
  tables.deliveries.delete(row.id);
  if (row.claims !== undefined) tables.claimants.delete(row.claims);
  if (quietKey !== undefined && tables.quietDeliveries.get(quietKey)?.id === row.id) {
    tables.quietDeliveries.delete(quietKey);
  }
}

function removeExpired({ routes }: Tables, latestMs: number): void {
  for (const [key, row] of routes.pairings) {
    if (row.state === "pending" && row.expiresAtMs <= latestMs) routes.pairings.delete(key);
  }
  for (const [code, row] of routes.linkCodes) if (row.expiresAtMs <= latestMs) routes.linkCodes.delete(code);
  for (const [key, row] of routes.linkFailures) if (row.expiresAtMs <= latestMs) routes.linkFailures.delete(key);
}
