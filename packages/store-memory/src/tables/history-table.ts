import type { HistoryRow } from "@banyan/plugin-sdk/store";
import type { Tables } from "./tables.ts";

/** `pos` only grows, so a new row is the last one; one that moved here may not be. */
export function addHistory(tables: Tables, address: string, row: HistoryRow): void {
  const rows = tables.history.get(address) ?? [];
  rows.splice(rows.findLastIndex(({ pos }) => pos < row.pos) + 1, 0, Object.freeze(row));
  tables.history.set(address, rows);
}

/** Keeps only what `isKept` says, at the addresses named. */
export function pruneHistory(tables: Tables, addresses: Iterable<string>, isKept: (pos: number) => boolean): void {
  for (const address of addresses) {
    const kept = (tables.history.get(address) ?? []).filter((row) => isKept(row.pos));
    if (kept.length > 0) tables.history.set(address, kept);
    else tables.history.delete(address);
  }
}

/** A row reads otherwise, or goes on at another address. */
export function changeHistory(
  tables: Tables,
  place: { readonly address: string; readonly pos: number },
  change: { readonly address?: string; readonly body?: string },
): void {
  const row = tables.history.get(place.address)?.find(({ pos }) => pos === place.pos);
  if (!row) return;
  const { address = place.address, body = row.body } = change;
  pruneHistory(tables, [place.address], (pos) => pos !== place.pos);
  addHistory(tables, address, { ...row, body });
}
