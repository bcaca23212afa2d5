import type { DatabaseSync } from "node:sqlite";
import type { SessionMove } from "@banyan/store";
import { DELIVERY_STATE } from "../database/code.ts";
import { createRunMover } from "./run-move.ts";
import type { Tables } from "./tables.ts";

/** States above `sent` whose rows an operator may have sent again. */
const RETRIABLE = `state > 3 AND state > ${DELIVERY_STATE.sent_maybe_repeated}`;

/** What may still be sent, in two bands that have an index each. */
export const UNSENT_BANDS: readonly string[] = ["state < 3", RETRIABLE];

export interface SessionMover {
  /** The session goes on under another key, which is free. The items that moved, by `seq`. */
  moveSession(move: SessionMove, nowMs: number): readonly number[];
  /** Only what waits or runs in the lane goes on in another. The items that moved, by `seq`. */
  moveLane(from: string, to: string): readonly number[];
}

export function createSessionMover(database: DatabaseSync, tables: Tables): SessionMover {
  const moveWriters = database.prepare("UPDATE OR IGNORE writers SET session_key = ? WHERE session_key = ?");
  const removeWriters = database.prepare("DELETE FROM writers WHERE session_key = ?");
  const moveDeliveries = UNSENT_BANDS.map((band) =>
    database.prepare(`UPDATE deliveries SET session_key = ? WHERE ${band} AND session_key = ?`),
  );

  const runs = createRunMover(database);

  function moveLane(from: string, to: string): readonly number[] {
    const lane = tables.lanes.find(from);
    if (lane === undefined) return [];
    if (lane.owner !== undefined && lane.claimSeq !== undefined) tables.items.giveBack(lane.claimSeq, 1);
    tables.lanes.empty(lane.id);
    const target = tables.lanes.open(to);
    const moved = tables.items.moveWaiting(lane.id, target.id);
    const held = tables.heldItems.move(lane.id, target.id);
    tables.lanes.refresh(target.id);
    return [...moved, ...held];
  }

  return {
    moveLane(from, to) {
      const items = moveLane(from, to);
      runs.moveTold(items, to);
      return items;
    },
    moveSession(move, nowMs) {
      const { from, to } = move;
      tables.sessions.move(move, nowMs);
      const items = moveLane(from, to);
      const { id } = tables.lanes.open(to);
      tables.lanes.raiseEpoch(id, tables.lanes.find(from)?.epoch ?? 0);
      moveWriters.run(to, from);
      removeWriters.run(from);
      runs.moveKeys(from, to);
      tables.bindings.moveSession(from, to);
      for (const statement of moveDeliveries) statement.run(to, from);
      return items;
    },
  };
}
