import type { DatabaseSync } from "node:sqlite";
import type { HistoryRow } from "@banyan/store";
import { DELIVERY_KINDS, ITEM_KINDS } from "../database/code.ts";
import { type Row, readName, readNumber, readText } from "../database/column.ts";
import { createAddressWalk } from "./address-walk.ts";
import type { SqliteReads } from "./read-request.ts";

/** Messages and commands that were not refused. */
const RECEIVED = "kind < 2 AND state <> 4";

export function createHistoryReads(database: DatabaseSync): Pick<SqliteReads, "history"> {
  const items = createAddressWalk(database, {
    table: "items",
    key: "seq",
    columns: "seq AS pos, native_id AS id, kind, received_at AS at, body",
    filter: RECEIVED,
  });
  const deliveries = createAddressWalk(database, {
    table: "deliveries",
    key: "pos",
    columns: "pos, id, kind, created_at AS at, body",
    filter: "true",
  });
  const named = createAddressWalk(database, {
    table: "items",
    key: "seq",
    columns: "seq AS pos",
    filter: `${RECEIVED} AND native_id = ?`,
  });
  const delivery = database.prepare("SELECT pos FROM deliveries WHERE id = ? AND address = ?");

  function findPos(address: string, id: string): number | undefined {
    const pos = delivery.get(id, address)?.pos ?? named.after(address, 0, 1, id)[0]?.pos;
    return pos === undefined ? undefined : readNumber(pos);
  }

  return {
    history: ({ address, afterId, limit }) => {
      if (afterId === undefined) {
        const received = items.newest(address, limit).map(readItem);
        const sent = deliveries.newest(address, limit).map(readDelivery);
        const rows = [...received, ...sent].sort((a, b) => a.pos - b.pos);
        return rows.slice(Math.max(0, rows.length - limit));
      }
      const pos = findPos(address, afterId);
      if (pos === undefined) return undefined;
      const received = items.after(address, pos, limit).map(readItem);
      const sent = deliveries.after(address, pos, limit).map(readDelivery);
      return [...received, ...sent].sort((a, b) => a.pos - b.pos).slice(0, limit);
    },
  };
}

function readItem(row: Row): HistoryRow {
  return { ...readPlace(row), source: "item", kind: readName(ITEM_KINDS, row.kind) };
}

function readDelivery(row: Row): HistoryRow {
  return { ...readPlace(row), source: "delivery", kind: readName(DELIVERY_KINDS, row.kind) };
}

function readPlace(row: Row): Pick<HistoryRow, "pos" | "id" | "atMs" | "body"> {
  return { pos: readNumber(row.pos), id: readText(row.id), atMs: readNumber(row.at), body: readText(row.body) };
}
