import type { DatabaseSync } from "node:sqlite";
import type { Claim, ReceivedItem, ReceivedResult, ReceiveStep, StepResults } from "@banyan/store";
import { findClaim, startRunOf } from "./claim.ts";
import type { Lane } from "./lane-table.ts";
import { decideReceive } from "./receive-decision.ts";
import { type Batch, repeatItem } from "./receive-repeat.ts";
import { refuseAtFullLane, refuseInput } from "./refused-input.ts";
import type { Tables } from "./tables.ts";

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
    const { nowMs } = batch;
    const revision = batch.fresh.get(item.dedupe);
    const firstSeq = batch.fresh.delete(item.dedupe) ? undefined : findFirst(tables, item);
    if (firstSeq !== undefined) return repeatItem(tables, batch, item, firstSeq);
    if (item.refused !== undefined) return refuseInput(tables, item, item.refused, nowMs);
    const lane = tables.lanes.open(item.lane);
    const waiting = tables.lanes.countFound(lane);
    if (item.kind !== "command" && waiting.messages >= item.laneCap)
      return refuseAtFullLane(tables, item, lane.id, nowMs);
    if (item.session !== undefined) {
      const decision = tables.sessions.decide(item.session);
      if (decision.kind !== "conflict") tables.sessions.write(item.session, decision, nowMs);
    }
    if (batch.archived.delete(item.lane)) tables.sessions.reopen(item.lane, nowMs);
    if (item.writer !== undefined) addWriter.run(item.lane, item.writer.channel, item.writer.peer);
    const isIdle = waiting.messages + waiting.commands === 0 && lane.owner === undefined;
    return isIdle && batch.claim !== undefined && item.kind !== "command"
      ? storeClaimed(tables, batch, item, { lane, revision, claim: batch.claim })
      : storeWaiting(tables, batch, item, lane);
  }

  return (step, nowMs) => {
    const decision = decideReceive(tables, step);
    if ("status" in decision) return decision;
    const { channel, account } = step.account;
    if (step.cursor !== undefined) setCursor.run(channel, account, step.cursor);
    const batch: Batch = {
      claim: step.claim,
      nowMs,
      fresh: decision.fresh,
      archived: decision.archived,
      claimedLanes: new Set(),
    };
    return { status: "done", items: step.items.map((item) => receiveItem(batch, item)) };
  };
}

/** The item that was stored for it, or for what it belongs to. */
function findFirst(tables: Tables, { dedupe, follows }: ReceivedItem): number | undefined {
  return (
    tables.items.findDuplicate(dedupe) ?? (follows === undefined ? undefined : tables.items.findDuplicate(follows))
  );
}

/** A lane that an input may take at once. `revision`: of its session. */
interface Idle {
  readonly lane: Lane;
  readonly revision: number | undefined;
  readonly claim: NonNullable<ReceiveStep["claim"]>;
}

/** The hot path: the item is born active, so it never stands in the index of waiting items. */
function storeClaimed(
  tables: Tables,
  batch: Batch,
  item: ReceivedItem,
  { lane, revision, claim }: Idle,
): ReceivedResult {
  const { nowMs } = batch;
  const seq = tables.items.insert(item, { laneId: lane.id, state: "active", attempt: 1, body: item.body }, nowMs);
  const deliveries = tables.deliveries.insertAll(item.deliveries ?? [], nowMs);
  tables.lanes.take(lane.id, claim.owner, claim.claimId, seq);
  startRunOf(tables, item, nowMs);
  batch.claimedLanes.add(item.lane);
  const session = tables.sessions.findUnlessKnown(item.lane, item.knownRevision, revision);
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
      ...(item.wake === "append" ? { wake: item.wake } : {}),
      ...(item.runId === undefined ? {} : { runId: item.runId }),
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
  if (claim === undefined || readySeq === undefined || tables.items.isBesideSuspect(readySeq)) {
    tables.lanes.refresh(lane.id);
    return result;
  }
  tables.items.activate(readySeq);
  tables.lanes.take(lane.id, claim.owner, claim.claimId, readySeq);
  batch.claimedLanes.add(item.lane);
  const place = { lane: item.lane, epoch: lane.epoch + 1, itemSeq: readySeq };
  const answer = findClaim(tables, place, item.knownRevision);
  if (answer === undefined) return result;
  startRunOf(tables, answer.item, nowMs);
  return { ...result, claim: answer };
}
