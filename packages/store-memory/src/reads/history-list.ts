import type { HistoryRow, StoreReads } from "@banyan/plugin-sdk/store";
import type { Tables } from "../tables/tables.ts";

type HistoryQuery = Parameters<StoreReads["history"]>[0];

export function listHistory(tables: Tables, query: HistoryQuery): readonly HistoryRow[] | undefined {
  const { address, afterId, limit } = query;
  const rows = tables.history.get(address) ?? [];
  if (afterId === undefined) return rows.slice(Math.max(0, rows.length - limit));
  const place = rows.findIndex((row) => row.id === afterId);
  return place < 0 ? undefined : rows.slice(place + 1, place + 1 + limit);
}
