import type { HistoryRow } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

/** `pos` only grows, so a new row is always the last one. */
export function addHistory(tables: Tables, address: string, row: HistoryRow): void {
  const rows = tables.history.get(address);
  if (rows) rows.push(Object.freeze(row));
  else tables.history.set(address, [Object.freeze(row)]);
}

/** Keeps only what `isKept` says, at the addresses named. */
export function pruneHistory(tables: Tables, addresses: Iterable<string>, isKept: (pos: number) => boolean): void {
  for (const address of addresses) {
    const kept = (tables.history.get(address) ?? []).filter((row) => isKept(row.pos));
    if (kept.length > 0) tables.history.set(address, kept);
    else tables.history.delete(address);
  }
}
