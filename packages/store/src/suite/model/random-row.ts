import type { DayCount, NewDelivery, NewEntry, NewItem, SessionWrite } from "../../new-rows.ts";
import { sampleDays } from "../sample-step.ts";
import type { ModelState } from "./model-state.ts";
import { modelAccounts, modelAddresses, modelOwners, takeId, takeSessionId } from "./model-state.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

const KINDS = ["message", "message", "message", "message", "command", "completion", "nested", "system"] as const;
const POLICIES = ["at-least-once", "effectively-once", "at-most-once", "anchor"] as const;
const DELIVERY_KINDS = ["reply", "notice", "command", "completion", "status", "question"] as const;
/** Either never over or over at once, so that two drivers with clocks of their own agree. */
const QUIET_MS = [3_600_000, 0] as const;

export function buildItem(random: RandomSource, state: ModelState, lane: string): NewItem {
  const repeated = chance(random, 15) && state.items.length > 0 ? pick(random, state.items) : undefined;
  const id = takeId(state, "item");
  return {
    lane,
    dedupe: repeated?.dedupe ?? id,
    nativeId: chance(random, 10) ? (state.items.at(-1)?.nativeId ?? id) : id,
    kind: pick(random, KINDS),
    address: pick(random, modelAddresses),
    body: JSON.stringify({ text: id }),
  };
}

export function buildDeliveries(random: RandomSource, state: ModelState, most: number): readonly NewDelivery[] {
  return Array.from({ length: random(most + 1) }, () => buildDelivery(random, state));
}

export function buildDelivery(random: RandomSource, state: ModelState): NewDelivery {
  const isOld = chance(random, 5) && state.deliveryIds.length > 0;
  const id = isOld ? pick(random, state.deliveryIds) : takeId(state, "delivery");
  const address = pick(random, modelAddresses);
  const quiet = { key: `${random(2)} after ${state.prunes}`, ms: pick(random, QUIET_MS) };
  if (!isOld) state.deliveryIds.push(id);
  return {
    id,
    deliveryId: id,
    part: 0,
    of: 1,
    kind: pick(random, DELIVERY_KINDS),
    ...pick(random, modelAccounts),
    address,
    chat: address,
    policy: pick(random, POLICIES),
    body: JSON.stringify({ text: id }),
    ...(chance(random, 40) ? { sendingOwner: pick(random, modelOwners) } : {}),
    ...(chance(random, 30) ? { sessionKey: "agent:main:main" } : {}),
    ...(chance(random, 20) ? { quiet } : {}),
    ...(chance(random, 20) && state.deliveryIds.length > 0 ? { claims: pick(random, state.deliveryIds) } : {}),
  };
}

export function buildEntries(random: RandomSource, state: ModelState, most: number): readonly NewEntry[] {
  return Array.from({ length: random(most + 1) }, () => {
    const isOld = chance(random, 15) && state.entryIds.length > 0;
    const id = isOld ? pick(random, state.entryIds) : takeId(state, "entry");
    if (!isOld) state.entryIds.push(id);
    return { id, body: JSON.stringify({ id, kind: "message" }) };
  });
}

/** A write of the lane's session; where it exists, sometimes with a new id, as a reset does. */
export function buildSession(
  random: RandomSource,
  state: ModelState,
  key: string,
  expectRevision: number,
  sessionId: string,
): SessionWrite {
  const isReset = expectRevision > 0 && chance(random, 20);
  const id = isReset ? takeSessionId(state) : sessionId;
  const body = JSON.stringify({ write: takeId(state, "write") });
  const counts = state.serial % 3 === 0 ? { counts: buildDayCount(state) } : {};
  const agentId = key.split(":")[1] ?? "main";
  return { key, sessionId: id, agentId, file: `${id}.jsonl`, expectRevision, body, ...counts };
}

/** By what was made so far; a fraction of which sums are exact, in whatever order. */
export function buildDayCount({ serial }: Pick<ModelState, "serial">): DayCount {
  const at = sampleDays[serial % sampleDays.length] ?? sampleDays[0];
  return { ...at, turns: 1, tokens: serial % 100, costUsd: (serial % 8) / 8 };
}
