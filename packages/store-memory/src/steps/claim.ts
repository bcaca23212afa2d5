import { type Claim, isSuspect } from "@banyan/plugin-sdk/store";
import { changeItem, getItem } from "../tables/item-table.ts";
import { takeLane } from "../tables/lane-table.ts";
import { startRun } from "../tables/run-table.ts";
import type { LaneRecord, Tables } from "../tables/tables.ts";

export interface Claimant {
  readonly owner: string;
  readonly claimId: string;
  readonly knownRevision: number | undefined;
  readonly itemSeq?: number | undefined;
  readonly isBesideSuspects?: true | undefined;
}

/**
 * Takes the first waiting item of a lane that is claimable; the run that it works for runs then. `undefined`, and nothing
 * is written: it and an active item are suspects.
 */
export function claimLane(tables: Tables, lane: LaneRecord, claimant: Claimant, nowMs: number): Claim | undefined {
  const seq = findPreferred(tables, lane, claimant.itemSeq) ?? lane.queue[0];
  if (seq === undefined) throw new Error(`Claiming lane ${lane.lane}: nothing waits in it.`);
  const { row } = getItem(tables, seq);
  if (claimant.isBesideSuspects !== true && isSuspect(row) && hasActiveSuspect(tables)) return undefined;
  takeLane(tables, lane, claimant.owner, { id: claimant.claimId, seq });
  const { attempt, runId, wake } = row;
  changeItem(tables, seq, { state: "active", attempt: attempt + 1 });
  if (runId !== undefined && wake !== "append") startRun(tables, runId, nowMs);
  return buildClaim(tables, lane, seq, claimant.knownRevision);
}

/** Whether the turn of a suspect runs. */
function hasActiveSuspect(tables: Tables): boolean {
  return [...tables.ownedLanes].some(({ active }) => active.some((seq) => isSuspect(getItem(tables, seq).row)));
}

function findPreferred(tables: Tables, { queue }: LaneRecord, itemSeq: number | undefined): number | undefined {
  const place = itemSeq === undefined ? -1 : queue.indexOf(itemSeq);
  return queue.slice(0, place + 1).some((seq) => tables.waitingCommands.has(seq)) ? undefined : queue[place];
}

export function buildClaim(tables: Tables, lane: LaneRecord, seq: number, knownRevision: number | undefined): Claim {
  const session = tables.sessions.get(lane.lane);
  const claim = { lane: lane.lane, epoch: lane.epoch, item: getItem(tables, seq).row };
  return session && session.revision !== knownRevision ? { ...claim, session } : claim;
}
