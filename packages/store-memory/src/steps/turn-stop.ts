import type { TurnStop } from "@banyan/plugin-sdk/store";
import { appendEntries } from "../tables/entry-table.ts";
import { endItem, getItem } from "../tables/item-table.ts";
import { appendActive } from "../tables/lane-move.ts";
import { freeLane, getLane, holdsFence } from "../tables/lane-table.ts";
import type { Tables } from "../tables/tables.ts";

/** A command's own lane may be at rest, unless it says otherwise; another one is run by somebody. */
export function canStop(tables: Tables, { lane, epoch, isRunning }: TurnStop, own?: string): boolean {
  const found = tables.lanes.get(lane ?? own ?? "");
  const mayRest = (lane === undefined || lane === own) && isRunning !== true;
  return mayRest ? (found?.epoch ?? 0) === epoch : holdsFence(found, epoch);
}

export function stopTurn(tables: Tables, sessionKey: string, stop: TurnStop): void {
  const lane = getLane(tables, sessionKey);
  const itemSeq = lane.active[0];
  const place = { sessionKey, sessionId: stop.sessionId };
  appendEntries(tables, itemSeq === undefined ? place : { ...place, itemSeq }, stop.entries);
  // What a completion tells may not be written yet: it is, with the next turns of the lane.
  const isCompletion = itemSeq !== undefined && getItem(tables, itemSeq).row.kind === "completion";
  if (isCompletion) appendActive(tables, lane);
  else for (const seq of lane.active) endItem(tables, seq, "done");
  for (const seq of stop.taken ?? []) if (isWaitingMessage(tables, sessionKey, seq)) endItem(tables, seq, "done");
  freeLane(tables, lane);
}

function isWaitingMessage(tables: Tables, lane: string, seq: number): boolean {
  const row = tables.items.get(seq)?.row;
  return row?.lane === lane && row.state === "waiting" && row.kind === "message";
}
