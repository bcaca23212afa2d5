import type { DeliveryRow, DeliveryState, StoreReads } from "@banyan/plugin-sdk/store";
import type { Tables } from "../tables/tables.ts";

type DeliveryQuery = Parameters<StoreReads["deliveries"]>[0];
type ReceiptQuery = Parameters<StoreReads["receipts"]>[0];

export function listDeliveries(tables: Tables, query: DeliveryQuery): readonly DeliveryRow[] {
  const { states, channel, account, runIds, afterPos = 0, limit } = query;
  return findCandidates(tables, states)
    .filter((row) => states === undefined || states.includes(row.state))
    .filter((row) => channel === undefined || row.channel === channel)
    .filter((row) => account === undefined || row.account === account)
    .filter(({ runId }) => runIds === undefined || (runId !== undefined && runIds.includes(runId)))
    .filter((row) => row.pos > afterPos)
    .slice(0, limit);
}

/** The history of the address leads to its rows. */
export function listReceipts(tables: Tables, { address, platformIds }: ReceiptQuery): readonly string[] {
  const rows = (tables.history.get(address) ?? []).filter(({ source }) => source === "delivery");
  const found = new Set(rows.map(({ id }) => tables.deliveries.get(id)?.row.platformId));
  return [...new Set(platformIds)].filter((id) => found.has(id));
}

/** By `pos`. Unsettled rows have an index, which keeps the sender from reading what was sent long ago. */
function findCandidates(tables: Tables, states: readonly DeliveryState[] | undefined): readonly DeliveryRow[] {
  const indexes = states?.map((state) => tables.unsettledDeliveries.get(state));
  if (!indexes?.every((index) => index !== undefined)) return [...tables.deliveries.values()].map(({ row }) => row);
  const ids = new Set(indexes.flatMap((index) => [...index]));
  return [...ids].flatMap((id) => tables.deliveries.get(id)?.row ?? []).sort((a, b) => a.pos - b.pos);
}
