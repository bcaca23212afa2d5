import type { DatabaseSync } from "node:sqlite";
import type { HistoryRow } from "@banyan/plugin-sdk/store";
import { DELIVERY_KINDS, ITEM_KINDS } from "../database/code.ts";
import { type Row, readName, readNumber, readText } from "../database/column.ts";
import type { SqliteReads } from "./read-request.ts";

/** Messages and commands that were not refused. */
const RECEIVED = "address = ? AND kind < 2 AND state <> 4";
const ITEM = "seq AS pos, native_id AS id, kind, received_at AS at, body FROM items";
const DELIVERY = "pos, id, kind, created_at AS at, body FROM deliveries";

export function createHistoryReads(database: DatabaseSync): Pick<SqliteReads, "history"> {
  const placeOf = database.prepare(
    `SELECT min(pos) AS pos FROM (
       SELECT min(seq) AS pos FROM items WHERE ${RECEIVED} AND native_id = ?
       UNION ALL SELECT pos FROM deliveries WHERE id = ? AND address = ?)`,
  );
  const itemsAfter = database.prepare(`SELECT ${ITEM} WHERE ${RECEIVED} AND seq > ? ORDER BY seq LIMIT ?`);
  const deliveriesAfter = database.prepare(`SELECT ${DELIVERY} WHERE address = ? AND pos > ? ORDER BY pos LIMIT ?`);
  const newestItems = database.prepare(`SELECT ${ITEM} WHERE ${RECEIVED} ORDER BY seq DESC LIMIT ?`);
  const newestDeliveries = database.prepare(`SELECT ${DELIVERY} WHERE address = ? ORDER BY pos DESC LIMIT ?`);

  return {
    history: ({ address, afterId, limit }) => {
      if (afterId === undefined) {
        const items = newestItems.all(address, limit).map(readItem);
        const deliveries = newestDeliveries.all(address, limit).map(readDelivery);
        const rows = [...items, ...deliveries].sort((a, b) => a.pos - b.pos);
        return rows.slice(Math.max(0, rows.length - limit));
      }
      const pos = placeOf.get(address, afterId, afterId, address)?.pos;
      if (typeof pos !== "number") return undefined;
      const items = itemsAfter.all(address, pos, limit).map(readItem);
      const deliveries = deliveriesAfter.all(address, pos, limit).map(readDelivery);
      return [...items, ...deliveries].sort((a, b) => a.pos - b.pos).slice(0, limit);
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
