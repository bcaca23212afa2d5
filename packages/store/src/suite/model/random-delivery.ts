import type {
  AnchorStep,
  AttemptStep,
  DropDeliveryStep,
  RetryDeliveryStep,
  RetryEffect,
  SettleOutcome,
  SettleStep,
} from "../../delivery-steps.ts";
import type { Store } from "../../store.ts";
import { type ModelState, modelOwners, takeId } from "./model-state.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

const LATER = ["pending", "stuck"] as const;
const SENT = ["sent", "sent_maybe_repeated"] as const;
const LOST = ["undeliverable", "unknown"] as const;

export async function buildAttempt(random: RandomSource, state: ModelState, store: Store): Promise<AttemptStep> {
  const { id, attempts } = await pickDelivery(random, state, store);
  const attempt = attempts + 1 + (chance(random, 15) ? pick(random, [-1, 1]) : 0);
  return { step: "attempt", id, owner: pick(random, modelOwners), attempt };
}

export async function buildAnchor(random: RandomSource, state: ModelState, store: Store): Promise<AnchorStep> {
  const { id, attempts } = await pickDelivery(random, state, store);
  const attempt = attempts + (chance(random, 15) ? pick(random, [-1, 1]) : 0);
  const chat = chance(random, 15) ? "elsewhere" : ((await store.read.delivery(id))?.chat ?? "none");
  const anchorId = chance(random, 20) ? "the same" : takeId(state, "anchor");
  const step = { step: "anchor", id, attempt, chat, anchorId } as const;
  // By the id, which is as good as drawn.
  return id.endsWith("3") ? { ...step, isRefused: true } : step;
}

export async function buildSettle(random: RandomSource, state: ModelState, store: Store): Promise<SettleStep> {
  const { id, attempts } = await pickDelivery(random, state, store);
  const attempt = attempts + (chance(random, 15) ? pick(random, [-1, 1]) : 0);
  const settle = { step: "settle", id, attempt, outcome: buildOutcome(random, state) } as const;
  // By the id, which is as good as drawn.
  return id.endsWith("7") ? { ...settle, sentTo: { address: "elsewhere/1", chat: "elsewhere" } } : settle;
}

export async function buildOperatorWord(
  random: RandomSource,
  state: ModelState,
  store: Store,
): Promise<RetryDeliveryStep | DropDeliveryStep> {
  const { id } = await pickDelivery(random, state, store);
  const audit = { actor: "operator", action: "outbox", detail: takeId(state, "audit") };
  return { step: pick(random, ["retry_delivery", "drop_delivery"] as const), id, audit };
}

export async function buildRetryEffect(random: RandomSource, state: ModelState, store: Store): Promise<RetryEffect> {
  const ids: string[] = [];
  for (let count = random(4); count > 0; count -= 1) ids.push((await pickDelivery(random, state, store)).id);
  return { ids, audit: { actor: "a person", action: "retry", detail: takeId(state, "audit") } };
}

function buildOutcome(random: RandomSource, state: ModelState): SettleOutcome {
  const error = takeId(state, "error");
  const choice = random(4);
  if (choice === 0) return { state: pick(random, SENT), platformId: takeId(state, "platform") };
  if (choice === 1) return { state: pick(random, LOST), error };
  return {
    state: pick(random, LATER),
    error,
    retryInMs: random(10_000),
    ...(chance(random, 30) ? { giveBackAttempt: true } : {}),
    ...(chance(random, 30) ? { maybeRepeated: true } : {}),
  };
}

/** Rows that are under way or wait, mostly; now and then a settled or unknown one. */
async function pickDelivery(
  random: RandomSource,
  state: ModelState,
  store: Store,
): Promise<{ readonly id: string; readonly attempts: number }> {
  const unsettled = await store.read.deliveries({ states: ["pending", "sending", "stuck"], limit: 20 });
  if (unsettled.length > 0 && !chance(random, 25)) return pick(random, unsettled);
  const id = state.deliveryIds.length > 0 ? pick(random, state.deliveryIds) : "none";
  return (await store.read.delivery(id)) ?? { id, attempts: 0 };
}
