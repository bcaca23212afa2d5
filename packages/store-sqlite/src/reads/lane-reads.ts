import type { DatabaseSync } from "node:sqlite";
import { ITEM_KIND, ITEM_KINDS } from "../database/code.ts";
import { readNumber, readOptionalText, readText } from "../database/column.ts";
import { ITEM_COLUMNS, ITEM_SOURCE, readItemRow } from "./item-row.ts";
import type { SqliteReads } from "./read-request.ts";

type LaneReads = Pick<SqliteReads, "lane" | "readyLanes" | "cursor"> & ItemReads & CountReads;
type ItemReads = Pick<SqliteReads, "item" | "itemByDedupe" | "openItems" | "waitingCommands">;
type CountReads = Pick<SqliteReads, "counts">;

export function createLaneReads(database: DatabaseSync): LaneReads {
  const lane = database.prepare(
    `SELECT epoch, owner, claim_seq,
       (SELECT count(*) FROM items WHERE state = 0 AND lane_id = lanes.id AND kind <> 1) AS waiting
     FROM lanes WHERE lane = ?`,
  );
  const ready = database.prepare("SELECT lane, ready_seq FROM lanes WHERE ready_seq > ? ORDER BY ready_seq LIMIT ?");
  const cursor = database.prepare("SELECT cursor FROM accounts WHERE channel = ? AND account = ?");
  return {
    lane: (name) => {
      const row = lane.get(name);
      if (row === undefined) return { lane: name, epoch: 0, waiting: 0, active: [] };
      const owner = readOptionalText(row.owner ?? null);
      const found = { lane: name, epoch: readNumber(row.epoch), waiting: readNumber(row.waiting) };
      return owner === undefined ? { ...found, active: [] } : { ...found, owner, active: [readNumber(row.claim_seq)] };
    },
    readyLanes: ({ limit, afterSeq = 0 }) =>
      ready.all(afterSeq, limit).map((row) => ({ lane: readText(row.lane), firstSeq: readNumber(row.ready_seq) })),
    cursor: (channel, account) => {
      const row = cursor.get(channel, account);
      return row === undefined ? undefined : readText(row.cursor);
    },
    ...createItemReads(database),
    ...createCountReads(database),
  };
}

function createItemReads(database: DatabaseSync): ItemReads {
  const bySeq = database.prepare(`SELECT ${ITEM_COLUMNS} FROM ${ITEM_SOURCE} WHERE seq = ?`);
  const byDedupe = database.prepare(`SELECT ${ITEM_COLUMNS} FROM ${ITEM_SOURCE} WHERE dedupe = ?`);
  const commands = database.prepare(
    `SELECT ${ITEM_COLUMNS} FROM ${ITEM_SOURCE} WHERE state = 0 AND kind = 1 AND seq > ? ORDER BY seq LIMIT ?`,
  );
  // Each through an index of its own: a lane has as many items as there ever were.
  const active = database.prepare(
    `SELECT ${ITEM_COLUMNS} FROM lanes JOIN items ON items.seq = lanes.claim_seq
     WHERE lane = ? AND owner IS NOT NULL AND (1 << kind) & ? LIMIT ?`,
  );
  const waiting = database.prepare(
    `SELECT ${ITEM_COLUMNS} FROM ${ITEM_SOURCE} WHERE lane = ? AND state = 0 AND (1 << kind) & ? ORDER BY seq LIMIT ?`,
  );
  const held = database.prepare(
    `SELECT ${ITEM_COLUMNS} FROM lanes JOIN held ON held.lane_id = lanes.id JOIN items ON items.seq = held.item_seq
     WHERE lane = ? AND (1 << kind) & ? ORDER BY item_seq LIMIT ?`,
  );
  return {
    item: (seq) => bySeq.all(seq).map(readItemRow)[0],
    itemByDedupe: (dedupe) => byDedupe.all(dedupe).map(readItemRow)[0],
    openItems({ lane, kinds = ITEM_KINDS, limit }) {
      const mask = kinds.reduce((sum, kind) => sum | (1 << ITEM_KIND[kind]), 0);
      const rows = [active, waiting, held].flatMap((statement) => statement.all(lane, mask, limit));
      return rows
        .map(readItemRow)
        .sort((first, second) => first.seq - second.seq)
        .slice(0, limit);
    },
    waitingCommands: ({ limit, afterSeq = 0 }) => commands.all(afterSeq, limit).map(readItemRow),
  };
}

function createCountReads(database: DatabaseSync): CountReads {
  const counts = database.prepare(
    `SELECT (SELECT count(*) FROM sessions WHERE archived_at IS NULL) AS sessions,
       (SELECT count(*) FROM items WHERE state = 0 AND kind <> 1) AS waiting_items,
       (SELECT count(*) FROM lanes WHERE owner IS NOT NULL) AS active_lanes,
       (SELECT count(*) FROM deliveries WHERE state < 3) AS unsettled,
       (SELECT count(*) FROM pairings WHERE state = 0 AND expires_at > ?) AS pending_pairings,
       (SELECT count(*) FROM runs WHERE state < 4) AS unfinished_runs`,
  );
  return {
    counts: (nowMs) => {
      const row = counts.get(nowMs);
      return {
        sessions: readNumber(row?.sessions),
        waitingItems: readNumber(row?.waiting_items),
        activeLanes: readNumber(row?.active_lanes),
        unsettledDeliveries: readNumber(row?.unsettled),
        pendingPairings: readNumber(row?.pending_pairings),
        unfinishedRuns: readNumber(row?.unfinished_runs),
      };
    },
  };
}
