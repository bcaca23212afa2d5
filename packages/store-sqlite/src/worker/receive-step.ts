import type { DatabaseSync } from "node:sqlite";
import type { Claim, ReceivedItem, ReceivedResult, ReceiveStep, Refused, StepResults } from "@banyan/plugin-sdk/store";
import { findClaim } from "./claim.ts";
import type { Lane } from "./lane-table.ts";
import { findReceiveRefusal } from "./receive-refusal.ts";
import type { Tables } from "./tables.ts";

/** Stored for those who ask why nothing came of an input; without its text. */
const REFUSED_BODY = "{}";

interface Batch {
  readonly claim: ReceiveStep["claim"];
  readonly nowMs: number;
  /** Lanes whose claim stands in an answer of this step. */
  readonly claimedLanes: Set<string>;
}

export type ReceiveRunner = (step: ReceiveStep, nowMs: number) => StepResults["receive"];

export function createReceiveStep(database: DatabaseSync, tables: Tables): ReceiveRunner {
  const setCursor = database.prepare(
    `INSERT INTO accounts (channel, account, cursor) VALUES (?, ?, ?)
     ON CONFLICT (channel, account) DO UPDATE SET cursor = excluded.cursor`,
  );
  const addWriter = database.prepare(
    "INSERT INTO writers (session_key, channel, peer) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );

  function receiveItem(batch: Batch, item: ReceivedItem): ReceivedResult {
    const firstSeq = tables.items.findDuplicate(item.dedupe);
    if (firstSeq !== undefined) return repeatItem(tables, batch, item, firstSeq);
    if (item.refused !== undefined) return refuseItem(tables, batch, item, item.refused);
    const lane = tables.lanes.open(item.lane);
    const waiting = tables.lanes.countWaiting(lane.id);
    if (item.kind !== "command" && waiting.messages >= item.laneCap)
      return refuseItem(tables, batch, item, "lane_full");
    if (item.session !== undefined) {
      const decision = tables.sessions.decide(item.session);
      if (decision.kind !== "conflict") tables.sessions.write(item.session, decision, batch.nowMs);
    }
    if (item.writer !== undefined) addWriter.run(item.lane, item.writer.channel, item.writer.peer);
    const isIdle = waiting.messages + waiting.commands === 0 && lane.owner === undefined;
    return isIdle && batch.claim !== undefined && item.kind !== "command"
      ? storeClaimed(tables, batch, item, lane, batch.claim)
      : storeWaiting(tables, batch, item, lane);
  }

  return (step, nowMs) => {
    const refusal: Refused | undefined = findReceiveRefusal(tables, step);
    if (refusal !== undefined) return refusal;
    const { channel, account } = step.account;
    if (step.cursor !== undefined) setCursor.run(channel, account, step.cursor);
    const batch: Batch = { claim: step.claim, nowMs, claimedLanes: new Set() };
    return { status: "done", items: step.items.map((item) => receiveItem(batch, item)) };
  };
}

/** Access or a full lane said no: the rejection is on record, and what the sender is told. */
function refuseItem(tables: Tables, batch: Batch, item: ReceivedItem, refused: string): ReceivedResult {
  const isFull = item.refused === undefined;
  const place = { laneId: undefined, state: "refused", attempt: 0, body: REFUSED_BODY, refused } as const;
  const seq = tables.items.insert(item, place, batch.nowMs);
  const answers = isFull ? (item.ifFull === undefined ? [] : [item.ifFull]) : (item.deliveries ?? []);
  return { outcome: "refused", seq, deliveries: tables.deliveries.insertAll(answers, batch.nowMs) };
}

/** The hot path: the item is born active, so it never stands in the index of waiting items. */
function storeClaimed(
  tables: Tables,
  batch: Batch,
  item: ReceivedItem,
  lane: Lane,
  claim: NonNullable<ReceiveStep["claim"]>,
): ReceivedResult {
  const { nowMs } = batch;
  const seq = tables.items.insert(item, { laneId: lane.id, state: "active", attempt: 1, body: item.body }, nowMs);
  const deliveries = tables.deliveries.insertAll(item.deliveries ?? [], nowMs);
  tables.lanes.take(lane.id, claim.owner, claim.claimId, seq);
  batch.claimedLanes.add(item.lane);
  const session = tables.sessions.findUnlessKnown(item.lane, item.knownRevision);
  const answer: Claim = {
    lane: item.lane,
    epoch: lane.epoch + 1,
    item: {
      lane: item.lane,
      seq,
      kind: item.kind,
      state: "active",
      address: item.address,
      attempt: 1,
      receivedAtMs: nowMs,
      body: item.body,
    },
    ...(session === undefined ? {} : { session }),
  };
  return { outcome: "stored", seq, deliveries, claim: answer };
}

function storeWaiting(tables: Tables, batch: Batch, item: ReceivedItem, lane: Lane): ReceivedResult {
  const { nowMs, claim } = batch;
  const seq = tables.items.insert(item, { laneId: lane.id, state: "waiting", attempt: 0, body: item.body }, nowMs);
  const deliveries = tables.deliveries.insertAll(item.deliveries ?? [], nowMs);
  const result = { outcome: "stored" as const, seq, deliveries };
  if (lane.owner !== undefined) return result;
  const readySeq = lane.readySeq;
  if (claim === undefined || readySeq === undefined) {
    tables.lanes.refresh(lane.id);
    return result;
  }
  tables.items.activate(readySeq);
  tables.lanes.take(lane.id, claim.owner, claim.claimId, readySeq);
  batch.claimedLanes.add(item.lane);
  const place = { lane: item.lane, epoch: lane.epoch + 1, itemSeq: readySeq };
  const answer = findClaim(tables, place, item.knownRevision);
  return answer === undefined ? result : { ...result, claim: answer };
}

/**
 * The platform sent it twice, or the step is a repeat: then the answer names again what the caller must go on with. What
 * was refused stays refused.
 */
function repeatItem(tables: Tables, batch: Batch, item: ReceivedItem, seq: number): ReceivedResult {
  const possible = [...(item.ifFull === undefined ? [] : [item.ifFull]), ...(item.deliveries ?? [])];
  const deliveries = possible.map(({ id }) => id).filter((id) => tables.deliveries.has(id));
  const isRefused = tables.items.find(seq)?.state === "refused";
  const result = { outcome: isRefused ? ("refused" as const) : ("duplicate" as const), seq, deliveries };
  if (batch.claim === undefined || batch.claimedLanes.has(item.lane)) return result;
  const lane = tables.lanes.find(item.lane);
  if (lane?.claimSeq === undefined || lane.claimId !== batch.claim.claimId) return result;
  batch.claimedLanes.add(item.lane);
  const place = { lane: item.lane, epoch: lane.epoch, itemSeq: lane.claimSeq };
  const claim = findClaim(tables, place, item.knownRevision);
  return claim === undefined ? result : { ...result, claim };
}
