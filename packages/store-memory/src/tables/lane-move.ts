import { decideDeath } from "@banyan/plugin-sdk/store";
import { changeItem, getItem, setCounts } from "./item-table.ts";
import { freeLane, getLane, queueItem, unqueueItem } from "./lane-table.ts";
import type { LaneRecord, Tables } from "./tables.ts";

/** Ends a turn without an end: what ran waits again, in its old place. */
export function requeueActive(tables: Tables, lane: LaneRecord, giveBackAttempt: boolean): void {
  for (const seq of lane.active) {
    const { attempt } = getItem(tables, seq).row;
    changeItem(tables, seq, { state: "waiting", attempt: giveBackAttempt ? attempt - 1 : attempt });
    queueItem(tables, lane, seq, false);
  }
  freeLane(tables, lane);
}

/** The process died: what ran waits again, in its old place, and the death is counted. */
export function requeueDead(tables: Tables, lane: LaneRecord): void {
  for (const seq of lane.active) setCounts(tables, seq, decideDeath(getItem(tables, seq).row));
  requeueActive(tables, lane, false);
}

/** What ran waits again, only to be written down. */
export function appendActive(tables: Tables, lane: LaneRecord): void {
  for (const seq of lane.active) changeItem(tables, seq, { wake: "append" });
  requeueActive(tables, lane, true);
}

/**
 * What waits in a lane, or runs or is held there, does so in another one from now on. The epoch that ran is over, and
 * the claim can no longer be asked for, since its item is elsewhere. What moved, by `seq`.
 */
export function moveLane(tables: Tables, from: string, to: string): readonly number[] {
  const lane = tables.lanes.get(from);
  if (!lane) return [];
  if (lane.owner !== undefined) {
    requeueActive(tables, lane, true);
    lane.epoch += 1;
  }
  lane.claim = undefined;
  const moved = [...lane.queue];
  const target = getLane(tables, to);
  for (const seq of moved) {
    const { kind } = getItem(tables, seq).row;
    unqueueItem(tables, lane, seq);
    changeItem(tables, seq, { lane: to });
    queueItem(tables, target, seq, kind === "command");
  }
  for (const seq of lane.held) changeItem(tables, seq, { lane: to });
  moved.push(...lane.held);
  target.held = [...target.held, ...lane.held];
  lane.held = [];
  return moved.sort((a, b) => a - b);
}

/** A session's turns are numbered on under its new key. */
export function raiseEpoch(tables: Tables, from: string, to: string): void {
  const target = getLane(tables, to);
  target.epoch = Math.max(target.epoch, tables.lanes.get(from)?.epoch ?? 0);
}
