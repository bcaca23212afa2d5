import type {
  ItemRow,
  ReceivedItem,
  ReceivedResult,
  ReceiveStep,
  Refused,
  StepResults,
} from "@banyan/plugin-sdk/store";
import { findStanding, writeDeliveries } from "../tables/delivery-table.ts";
import { changeHistory } from "../tables/history-table.ts";
import { changeItem, insertItem } from "../tables/item-table.ts";
import { countWaiting, decideClaim, getLane } from "../tables/lane-table.ts";
import { findPairing, offerPairing } from "../tables/pairing-table.ts";
import { decideSessionWrite, findRevision, reopenSession, writeSession } from "../tables/session-table.ts";
import { pairKey, type Tables } from "../tables/tables.ts";
import { buildClaim, claimLane } from "./claim.ts";

const STALE_ROUTE: Refused = { status: "refused", reason: "stale_route" };

interface Batch {
  readonly claim: ReceiveStep["claim"];
  readonly nowMs: number;
  /** What is stored by this step, by `dedupe`. */
  readonly fresh: Set<string>;
  /** Lanes whose claim stands in an answer of this step. */
  readonly claimedLanes: Set<string>;
}

export function applyReceive(tables: Tables, step: ReceiveStep, nowMs: number): StepResults["receive"] {
  const refusal = isStale(tables, step) ? STALE_ROUTE : findRefusal(tables, step);
  if (refusal) return refusal;
  const { channel, account } = step.account;
  if (step.cursor !== undefined) tables.cursors.set(pairKey(channel, account), step.cursor);
  const batch: Batch = { claim: step.claim, nowMs, fresh: new Set(), claimedLanes: new Set() };
  return { status: "done", items: step.items.map((item) => receiveItem(tables, batch, item)) };
}

/** A step that was stored before is no decision any more. */
function isStale(tables: Tables, { routeRevision, items }: ReceiveStep): boolean {
  if (routeRevision === undefined || routeRevision === tables.routes.revision) return false;
  return items.some(({ dedupe }) => !tables.seqByDedupe.has(dedupe));
}

/** Looks at the sessions as the items before each one in the batch would leave them. */
function findRefusal(tables: Tables, step: ReceiveStep): Refused | undefined {
  const revisions = new Map<string, number>();
  const seen = new Set<string>();
  const reopened = new Set<string>();
  for (const item of step.items) {
    if (item.refused !== undefined || tables.seqByDedupe.has(item.dedupe) || seen.has(item.dedupe)) continue;
    if (item.follows !== undefined && !seen.has(item.follows)) continue;
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
    if (!tables.archivedKeys.has(item.lane) || reopened.has(item.lane)) continue;
    reopened.add(item.lane);
    revisions.set(item.lane, revision + 1);
  }
  return undefined;
}

function receiveItem(tables: Tables, batch: Batch, item: ReceivedItem): ReceivedResult {
  const { nowMs } = batch;
  const firstSeq = tables.seqByDedupe.get(item.dedupe) ?? findFollowed(tables, batch, item);
  if (firstSeq !== undefined) return repeatItem(tables, batch, item, firstSeq);
  batch.fresh.add(item.dedupe);
  if (item.refused !== undefined) return refuseItem(tables, nowMs, item);
  if (countWaiting(tables.lanes.get(item.lane)) >= item.laneCap && item.kind !== "command") {
    const seq = insertItem(tables, item, "refused", nowMs);
    return { outcome: "refused", seq, deliveries: writeDeliveries(tables, item.ifFull ? [item.ifFull] : [], nowMs) };
  }
  return storeItem(tables, batch, item);
}

/** What an item belongs to, where that was stored by an earlier step. */
function findFollowed(tables: Tables, batch: Batch, { follows }: ReceivedItem): number | undefined {
  return follows === undefined || batch.fresh.has(follows) ? undefined : tables.seqByDedupe.get(follows);
}

/** What access refused may still be a stranger's first word, or correct what waits. */
function refuseItem(tables: Tables, nowMs: number, item: ReceivedItem): ReceivedResult {
  const seq = insertItem(tables, item, "refused", nowMs);
  const isAmended = item.amendment !== undefined && amendItem(tables, item.amendment);
  const offer = item.pairing && offerPairing(tables, item.pairing, nowMs);
  const answers = { new: item.deliveries ?? [], standing: [], full: item.ifFull ? [item.ifFull] : [] };
  const deliveries = writeDeliveries(tables, answers[offer ?? "new"], nowMs);
  return { outcome: "refused", seq, deliveries, ...buildMarks(offer === "new", isAmended) };
}

function buildMarks(isPairingNew: boolean, isAmended: boolean): Pick<ReceivedResult, "isPairingNew" | "isAmended"> {
  return { ...(isPairingNew ? { isPairingNew } : {}), ...(isAmended ? { isAmended } : {}) };
}

function amendItem(tables: Tables, { dedupe, body }: NonNullable<ReceivedItem["amendment"]>): boolean {
  const row = findAmended(tables, dedupe);
  if (row?.state !== "waiting") return false;
  changeItem(tables, row.seq, { body });
  changeHistory(tables, { address: row.address, pos: row.seq }, { body });
  return true;
}

function findAmended(tables: Tables, dedupe: string): ItemRow | undefined {
  const seq = tables.seqByDedupe.get(dedupe);
  const row = seq === undefined ? undefined : tables.items.get(seq)?.row;
  return row?.kind === "message" ? row : undefined;
}

function storeItem(tables: Tables, batch: Batch, item: ReceivedItem): ReceivedResult {
  const { nowMs } = batch;
  if (item.session) writeSession(tables, item.session, nowMs);
  if (item.writer) addWriter(tables, item.lane, item.writer);
  reopenSession(tables, item.lane, nowMs);
  const seq = insertItem(tables, item, "waiting", nowMs);
  const deliveries = writeDeliveries(tables, item.deliveries ?? [], nowMs);
  const lane = getLane(tables, item.lane);
  if (!batch.claim || decideClaim(tables, lane) !== "claimable") return { outcome: "stored", seq, deliveries };
  const claim = claimLane(tables, lane, { ...batch.claim, knownRevision: item.knownRevision }, nowMs);
  if (claim === undefined) return { outcome: "stored", seq, deliveries };
  batch.claimedLanes.add(item.lane);
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
    ...(item.refused === undefined ? {} : repeatMarks(tables, batch.nowMs, item)),
  };
  const lane = tables.lanes.get(item.lane);
  if (!lane?.claim || lane.claim.id !== batch.claim?.claimId || batch.claimedLanes.has(item.lane)) return result;
  batch.claimedLanes.add(item.lane);
  return { ...result, claim: buildClaim(tables, lane, lane.claim.seq, item.knownRevision) };
}

/** A pairing with the step's own code is the one it made, a text that reads as its amendment the one it wrote. */
function repeatMarks(
  tables: Tables,
  nowMs: number,
  { pairing, amendment }: ReceivedItem,
): ReturnType<typeof buildMarks> {
  const isPairingNew = pairing !== undefined && findPairing(tables, pairing, nowMs)?.code === pairing.code;
  const isAmended = amendment !== undefined && findAmended(tables, amendment.dedupe)?.body === amendment.body;
  return buildMarks(isPairingNew, isAmended);
}

function addWriter(tables: Tables, sessionKey: string, { channel, peer }: { channel: string; peer: string }): void {
  const writers = tables.writers.get(sessionKey) ?? [];
  if (writers.some((writer) => writer.channel === channel && writer.peer === peer)) return;
  tables.writers.set(sessionKey, [...writers, Object.freeze({ sessionKey, channel, peer })]);
}
