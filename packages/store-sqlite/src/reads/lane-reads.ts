import type { DatabaseSync } from "node:sqlite";
import { readNumber, readOptionalText, readText } from "../database/column.ts";
import { ITEM_COLUMNS, ITEM_SOURCE, readItemRow } from "./item-row.ts";
import type { SqliteReads } from "./read-request.ts";

type LaneReads = Pick<SqliteReads, "lane" | "readyLanes" | "waitingCommands" | "cursor" | "counts">;

export function createLaneReads(database: DatabaseSync): LaneReads {
  const lane = database.prepare(
    `SELECT epoch, owner, claim_seq,
       (SELECT count(*) FROM items WHERE state = 0 AND lane_id = lanes.id AND kind <> 1) AS waiting
     FROM lanes WHERE lane = ?`,
  );
  const ready = database.prepare("SELECT lane, ready_seq FROM lanes WHERE ready_seq > ? ORDER BY ready_seq LIMIT ?");
  const commands = database.prepare(
    `SELECT ${ITEM_COLUMNS} FROM ${ITEM_SOURCE} WHERE state = 0 AND kind = 1 AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const cursor = database.prepare("SELECT cursor FROM accounts WHERE channel = ? AND account = ?");
  const counts = database.prepare(
    `SELECT (SELECT count(*) FROM sessions) AS sessions,
       (SELECT count(*) FROM items WHERE state = 0 AND kind <> 1) AS waiting_items,
       (SELECT count(*) FROM lanes WHERE owner IS NOT NULL) AS active_lanes,
       (SELECT count(*) FROM deliveries WHERE state < 3) AS unsettled,
       (SELECT count(*) FROM pairings WHERE state = 0 AND expires_at > ?) AS pending_pairings`,
  );
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
    waitingCommands: ({ limit, afterSeq = 0 }) => commands.all(afterSeq, limit).map(readItemRow),
    cursor: (channel, account) => {
      const row = cursor.get(channel, account);
      return row === undefined ? undefined : readText(row.cursor);
    },
    counts: (nowMs) => {
      const row = counts.get(nowMs);
      return {
        sessions: readNumber(row?.sessions),
        waitingItems: readNumber(row?.waiting_items),
        activeLanes: readNumber(row?.active_lanes),
        unsettledDeliveries: readNumber(row?.unsettled),
        pendingPairings: readNumber(row?.pending_pairings),
      };
    },
  };
}
