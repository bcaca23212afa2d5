import type { LaneRecord, Tables } from "./tables.ts";

export function getLane(tables: Tables, lane: string): LaneRecord {
  const found = tables.lanes.get(lane);
  if (found) return found;
  const created: LaneRecord = {
    lane,
    epoch: 0,
    owner: undefined,
    claim: undefined,
    queue: [],
    commands: 0,
    active: [],
    held: [],
  };
  tables.lanes.set(lane, created);
  return created;
}

/** Commands are not counted. */
export function countWaiting(lane: LaneRecord | undefined): number {
  return lane ? lane.queue.length - lane.commands : 0;
}

/** Whether somebody runs the turn of this epoch now. */
export function holdsFence(lane: LaneRecord | undefined, epoch: number): lane is LaneRecord {
  return lane !== undefined && lane.owner !== undefined && lane.epoch === epoch;
}

/** What a claim of the lane would answer. */
export function decideClaim(tables: Tables, lane: LaneRecord | undefined): "claimable" | "busy" | "empty" {
  if (lane?.owner !== undefined) return "busy";
  const first = lane?.queue[0];
  if (first === undefined) return "empty";
  return tables.waitingCommands.has(first) ? "busy" : "claimable";
}

export function queueItem(tables: Tables, lane: LaneRecord, seq: number, isCommand: boolean): void {
  const place = lane.queue.findLastIndex((other) => other < seq) + 1;
  lane.queue.splice(place, 0, seq);
  if (isCommand) {
    lane.commands += 1;
    tables.waitingCommands.add(seq);
  } else tables.waitingItems += 1;
  indexLane(tables, lane);
}

export function unqueueItem(tables: Tables, lane: LaneRecord, seq: number): void {
  const place = lane.queue.indexOf(seq);
  if (place < 0) return;
  lane.queue.splice(place, 1);
  if (tables.waitingCommands.delete(seq)) lane.commands -= 1;
  else tables.waitingItems -= 1;
  indexLane(tables, lane);
}

export function takeLane(tables: Tables, lane: LaneRecord, owner: string, claim: { id: string; seq: number }): void {
  lane.epoch += 1;
  lane.owner = owner;
  lane.claim = claim;
  lane.active = [claim.seq];
  unqueueItem(tables, lane, claim.seq);
  indexLane(tables, lane);
}

export function freeLane(tables: Tables, lane: LaneRecord): void {
  lane.owner = undefined;
  lane.active = [];
  indexLane(tables, lane);
}

function indexLane(tables: Tables, lane: LaneRecord): void {
  if (lane.owner === undefined) tables.ownedLanes.delete(lane);
  else tables.ownedLanes.add(lane);
  if (decideClaim(tables, lane) === "claimable") tables.readyLanes.add(lane);
  else tables.readyLanes.delete(lane);
}
