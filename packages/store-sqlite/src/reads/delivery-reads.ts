import type { DatabaseSync } from "node:sqlite";
import type { DeliveryState } from "@banyan/store";
import { DELIVERY_STATE } from "../database/code.ts";
import { createAddressWalk } from "./address-walk.ts";
import { DELIVERY_COLUMNS, readDeliveryRow } from "./delivery-row.ts";
import type { SqliteReads } from "./read-request.ts";

const FILTER = `(1 << state) & :mask AND pos > :after
  AND (:channel IS NULL OR channel = :channel) AND (:account IS NULL OR account = :account)`;
const ALL_STATES = 2 ** Object.keys(DELIVERY_STATE).length - 1;
const SENT = 2 ** DELIVERY_STATE.sent;
/** The states below `sent`, which have an index of their own, and those above it, which have another. */
const UNSETTLED = SENT - 1;

export function createDeliveryReads(
  database: DatabaseSync,
): Pick<SqliteReads, "deliveries" | "delivery" | "claimant" | "receipts"> {
  const list = (band: string, index = "") =>
    database.prepare(
      `SELECT ${DELIVERY_COLUMNS} FROM deliveries ${index} WHERE ${band} ${FILTER} ORDER BY pos LIMIT :limit`,
    );
  const unsettled = list("state < 3 AND");
  const odd = list("state > 3 AND");
  const any = list("");
  const ofRuns = list("run_id IN (SELECT value FROM json_each(:runs)) AND", "INDEXED BY deliveries_of_run");
  const received = createAddressWalk(database, {
    table: "deliveries",
    key: "pos",
    columns: "platform_id",
    filter: "platform_id IN (SELECT value FROM json_each(?))",
  });
  const byId = database.prepare(`SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE id = ?`);
  const byClaim = database.prepare(`SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE claims = ?`);

  return {
    deliveries: ({ states, channel, account, runIds, afterPos = 0, limit }) => {
      const mask = states === undefined ? ALL_STATES : buildMask(states);
      const query = { mask, after: afterPos, channel: channel ?? null, account: account ?? null, limit };
      if (runIds !== undefined) return ofRuns.all({ ...query, runs: JSON.stringify(runIds) }).map(readDeliveryRow);
      if ((mask & SENT) !== 0) return any.all(query).map(readDeliveryRow);
      const open = (mask & UNSETTLED) === 0 ? [] : unsettled.all(query).map(readDeliveryRow);
      const ended = mask > SENT ? odd.all(query).map(readDeliveryRow) : [];
      if (ended.length === 0) return open;
      return [...open, ...ended].sort((a, b) => a.pos - b.pos).slice(0, limit);
    },
    receipts: ({ address, platformIds }) => {
      if (platformIds.length === 0) return [];
      // Several rows may have one id.
      const rows = received.after(address, 0, Number.MAX_SAFE_INTEGER, JSON.stringify(platformIds));
      const found = new Set(rows.map(({ platform_id: id }) => id));
      return [...new Set(platformIds)].filter((id) => found.has(id));
    },
    delivery: (id) => byId.all(id).map(readDeliveryRow)[0],
    claimant: (id) => byClaim.all(id).map(readDeliveryRow)[0],
  };
}

function buildMask(states: readonly DeliveryState[]): number {
  return states.reduce((mask, state) => mask | (1 << DELIVERY_STATE[state]), 0);
}
