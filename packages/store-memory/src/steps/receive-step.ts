import type { ReceivedItem, ReceivedResult, ReceiveStep, Refused, StepResults } from "@banyan/plugin-sdk/store";
import { findStanding, writeDeliveries } from "../tables/delivery-table.ts";
import { insertItem } from "../tables/item-table.ts";
import { countWaiting, decideClaim, getLane } from "../tables/lane-table.ts";
import { decideSessionWrite, findRevision, writeSession } from "../tables/session-table.ts";
import { pairKey, type Tables } from "../tables/tables.ts";
import { buildClaim, claimLane } from "./claim.ts";

interface Batch {
  readonly claim: ReceiveStep["claim"];
  readonly nowMs: number;
  /** Lanes whose claim stands in an answer of this step. */
  readonly claimedLanes: Set<string>;
}

export function applyReceive(tables: Tables, step: ReceiveStep, nowMs: number): StepResults["receive"] {
  const refusal = findRefusal(tables, step);
  if (refusal) return refusal;
  const { channel, account } = step.account;
  if (step.cursor !== undefined) tables.cursors.set(pairKey(channel, account), step.cursor);
  const batch: Batch = { claim: step.claim, nowMs, claimedLanes: new Set() };
  return { status: "done", items: step.items.map((item) => receiveItem(tables, batch, item)) };
}

/** Looks at the sessions as the items before each one in the batch would leave them. */
function findRefusal(tables: Tables, step: ReceiveStep): Refused | undefined {
  const revisions = new Map<string, number>();
  const seen = new Set<string>();
  for (const item of step.items) {
    if (item.refused !== undefined || tables.seqByDedupe.has(item.dedupe) || seen.has(item.dedupe)) continue;
    seen.add(item.dedupe);
    if (item.session) {
      const { key } = item.session;
      const revision = revisions.get(key) ?? findRevision(tables, key);
      const decision = decideSessionWrite(item.session, revision);
      if (decision === "conflict") return { status: "refused", reason: "conflict" };
      revisions.set(key, decision === "write" ? revision + 1 : revision);
    }
    const revision = revisions.get(item.lane) ?? findRevision(tables, item.lane);
    if (revision === 0) return { status: "refused", reason: "no_session" };
  }
  return undefined;
}

function receiveItem(tables: Tables, batch: Batch, item: ReceivedItem): ReceivedResult {
  const { nowMs } = batch;
  const firstSeq = tables.seqByDedupe.get(item.dedupe);
  if (firstSeq !== undefined) return repeatItem(tables, batch, item, firstSeq);
  if (item.refused !== undefined) {
    const seq = insertItem(tables, item, "refused", nowMs);
    return { outcome: "refused", seq, deliveries: writeDeliveries(tables, item.deliveries ?? [], nowMs) };
  }
  if (countWaiting(tables.lanes.get(item.lane)) >= item.laneCap && item.kind !== "command") {
    const seq = insertItem(tables, item, "refused", nowMs);
    return { outcome: "refused", seq, deliveries: writeDeliveries(tables, item.ifFull ? [item.ifFull] : [], nowMs) };
  }
  return storeItem(tables, batch, item);
}

function storeItem(tables: Tables, batch: Batch, item: ReceivedItem): ReceivedResult {
  const { nowMs } = batch;
  if (item.session) writeSession(tables, item.session, nowMs);
  if (item.writer) addWriter(tables, item.lane, item.writer);
  const seq = insertItem(tables, item, "waiting", nowMs);
  const deliveries = writeDeliveries(tables, item.deliveries ?? [], nowMs);
  const lane = getLane(tables, item.lane);
  if (!batch.claim || decideClaim(tables, lane) !== "claimable") return { outcome: "stored", seq, deliveries };
  batch.claimedLanes.add(item.lane);
  const claim = claimLane(tables, lane, { ...batch.claim, knownRevision: item.knownRevision });
  return { outcome: "stored", seq, deliveries, claim };
}

/**
 * The platform sent it twice, or the step is a repeat: then the answer names again what the caller must go on with. What
 * was refused stays refused.
 */
function repeatItem(tables: Tables, batch: Batch, item: ReceivedItem, seq: number): ReceivedResult {
  const possible = [...(item.ifFull ? [item.ifFull] : []), ...(item.deliveries ?? [])];
  const isRefused = tables.items.get(seq)?.row.state === "refused";
  const result = {
    outcome: isRefused ? ("refused" as const) : ("duplicate" as const),
    seq,
    deliveries: findStanding(tables, possible),
  };
  const lane = tables.lanes.get(item.lane);
  if (!lane?.claim || lane.claim.id !== batch.claim?.claimId || batch.claimedLanes.has(item.lane)) return result;
  batch.claimedLanes.add(item.lane);
  return { ...result, claim: buildClaim(tables, lane, lane.claim.seq, item.knownRevision) };
}

function addWriter(tables: Tables, sessionKey: string, { channel, peer }: { channel: string; peer: string }): void {
  const writers = tables.writers.get(sessionKey) ?? [];
  if (writers.some((writer) => writer.channel === channel && writer.peer === peer)) return;
  tables.writers.set(sessionKey, [...writers, Object.freeze({ sessionKey, channel, peer })]);
}
