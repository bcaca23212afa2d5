/** What most cases begin with, in one line each. */
import assert from "node:assert/strict";
import type { ReceivedItem, ReceiveStep } from "../input-steps.ts";
import type { NewDelivery } from "../new-rows.ts";
import type { Claim, ReceivedResult, StepResult } from "../results.ts";
import type { DeliveryRow } from "../rows.ts";
import type { Step } from "../steps.ts";
import type { Store } from "../store.ts";
import { sampleEntries, sampleLane, sampleMessage, sampleOwner, sampleReceive, sampleSession } from "./sample-step.ts";
import { dumpStore } from "./store-dump.ts";

/** Receives a batch that must not be refused. */
export async function receiveAll(
  store: Store,
  items: readonly ReceivedItem[],
  more: Partial<ReceiveStep> = {},
): Promise<readonly ReceivedResult[]> {
  const result = await store.commit(sampleReceive(items, more));
  assert.equal(result.status, "done");
  return result.status === "done" ? result.items : [];
}

/** Receives one item; its `seq`. */
export async function receiveOne(store: Store, item: ReceivedItem): Promise<number> {
  const [result] = await receiveAll(store, [item]);
  assert.ok(result);
  return result.seq;
}

export async function claimLane(
  store: Store,
  lane: string,
  claimId: string,
  owner: string = sampleOwner,
): Promise<Claim> {
  const result = await store.commit({ step: "claim", lane, owner, claimId });
  if (result.status !== "done") assert.fail(`the claim of ${lane} was refused: ${result.reason}`);
  return result.claim;
}

/** One message in the sample lane, and its turn. */
export async function startTurn(store: Store, id = "m1", owner: string = sampleOwner): Promise<Claim> {
  await receiveOne(store, sampleMessage(id));
  return claimLane(store, sampleLane, `claim of ${id}`, owner);
}

/** Writes a delivery beside one message of its own, so that the lane stays out of it. */
export async function writeDelivery(store: Store, delivery: NewDelivery): Promise<DeliveryRow> {
  const refused = sampleMessage(`carrier of ${delivery.id}`, {
    lane: "",
    refused: "not allowed",
    deliveries: [delivery],
  });
  await receiveAll(store, [refused]);
  return getDelivery(store, delivery.id);
}

export async function getDelivery(store: Store, id: string): Promise<DeliveryRow> {
  const row = await store.read.delivery(id);
  assert.ok(row, `delivery ${id} is not in the store`);
  return row;
}

/** A session with entries, written outside a lane. */
export async function writeTranscript(store: Store, key: string, ...entryIds: readonly string[]): Promise<void> {
  const session = sampleSession(key);
  await store.commit({ step: "write_session", writeId: `insert ${key}`, session });
  if (entryIds.length === 0) return;
  const entries = sampleEntries(...entryIds);
  await store.commit({ step: "append_entries", sessionKey: key, sessionId: session.sessionId, entries });
}

/** The step answers this, and no read says anything else than before. */
export async function assertChangesNothing<S extends Step>(
  store: Store,
  step: S,
  expected: StepResult<S>,
): Promise<void> {
  const before = await dumpStore(store);
  assert.deepEqual(await store.commit(step), expected);
  assert.deepEqual(await dumpStore(store), before);
}
