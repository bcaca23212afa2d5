import type { ReceivedItem, ReceivedResult, ReceiveStep } from "@banyan/store";
import { findClaim } from "./claim.ts";
import type { FreshInputs } from "./receive-decision.ts";
import { repeatMarks } from "./refused-input.ts";
import type { Tables } from "./tables.ts";

/** What the items of one step have in common. */
export interface Batch {
  readonly claim: ReceiveStep["claim"];
  readonly nowMs: number;
  /** An input leaves it as it is stored. */
  readonly fresh: FreshInputs;
  /** Lanes whose session was put away. The first input that is stored for one takes it out. */
  readonly archived: Set<string>;
  /** Lanes whose claim stands in an answer of this step. */
  readonly claimedLanes: Set<string>;
}

/**
 * The platform sent it twice, or the step is a repeat: then the answer names again what the caller must go on with. What
 * was refused stays refused.
 */
export function repeatItem(tables: Tables, batch: Batch, item: ReceivedItem, seq: number): ReceivedResult {
  const possible = [...(item.ifFull === undefined ? [] : [item.ifFull]), ...(item.deliveries ?? [])];
  const deliveries = possible.map(({ id }) => id).filter((id) => tables.deliveries.has(id));
  const isRefused = tables.items.find(seq)?.state === "refused";
  const outcome = isRefused ? ("refused" as const) : ("duplicate" as const);
  const result = { outcome, seq, deliveries, ...repeatMarks(tables, item, batch.nowMs) };
  if (batch.claim === undefined || batch.claimedLanes.has(item.lane)) return result;
  const lane = tables.lanes.find(item.lane);
  if (lane?.claimSeq === undefined || lane.claimId !== batch.claim.claimId) return result;
  batch.claimedLanes.add(item.lane);
  const place = { lane: item.lane, epoch: lane.epoch, itemSeq: lane.claimSeq };
  const claim = findClaim(tables, place, item.knownRevision);
  return claim === undefined ? result : { ...result, claim };
}
