import type { Claim } from "@banyan/plugin-sdk/store";
import { changeItem, getItem } from "../tables/item-table.ts";
import { takeLane } from "../tables/lane-table.ts";
import { startRun } from "../tables/run-table.ts";
import type { LaneRecord, Tables } from "../tables/tables.ts";

export interface Claimant {
  readonly owner: string;
  readonly claimId: string;
  readonly knownRevision: number | undefined;
  readonly itemSeq?: number | undefined;
}

/** Takes the first waiting item of a lane that is claimable; the run that it works for runs then. */
export function claimLane(tables: Tables, lane: LaneRecord, claimant: Claimant, nowMs: number): Claim {
  const seq = findPreferred(tables, lane, claimant.itemSeq) ?? lane.queue[0];
  if (seq === undefined) throw new Error(`Claiming lane ${lane.lane}: nothing waits in it.`);
  takeLane(tables, lane, claimant.owner, { id: claimant.claimId, seq });
  const { attempt, runId, wake } = getItem(tables, seq).row;
  changeItem(tables, seq, { state: "active", attempt: attempt + 1 });
  if (runId !== undefined && wake !== "append") startRun(tables, runId, nowMs);
  return buildClaim(tables, lane, seq, claimant.knownRevision);
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
