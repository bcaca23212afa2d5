import type { ClaimStep, ReceivedItem, ReceiveStep } from "../../input-steps.ts";
import type { CommandStep } from "../../steps.ts";
import type { Store } from "../../store.ts";
import {
  type ModelState,
  modelAccounts,
  modelChildLanes,
  modelLanes,
  modelOwners,
  modelTurnLanes,
  takeId,
  takeSessionId,
} from "./model-state.ts";
import { buildRetryEffect } from "./random-delivery.ts";
import { buildLinkEffect, buildPairing, pickRevision } from "./random-route.ts";
import { buildDeliveries, buildDelivery, buildEntries, buildItem, buildSession } from "./random-row.ts";
import { buildAccept, buildBindEffect } from "./random-run.ts";
import { buildEnds, buildStopElsewhere } from "./random-run-end.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";
import { buildAnswerEffect } from "./random-turn.ts";

const CAPS = [1, 2, 5, 1_000] as const;
const NO_CAP = 1_000;

export async function buildReceive(random: RandomSource, state: ModelState, store: Store): Promise<ReceiveStep> {
  const items: ReceivedItem[] = [];
  for (let left = random(4); left > 0; left -= 1) items.push(await buildReceived(random, state, store));
  const claim = { owner: pick(random, modelOwners), claimId: takeId(state, "claim") };
  return {
    step: "receive",
    account: pick(random, modelAccounts),
    items,
    ...(chance(random, 50) ? { cursor: takeId(state, "cursor") } : {}),
    ...(chance(random, 60) ? { claim } : {}),
    ...(chance(random, 50) ? { routeRevision: await pickRevision(random, store) } : {}),
  };
}

async function buildReceived(random: RandomSource, state: ModelState, store: Store): Promise<ReceivedItem> {
  const isOrphan = chance(random, 3);
  const lane = isOrphan ? "agent:nobody:main" : pick(random, chance(random, 10) ? modelChildLanes : modelLanes);
  const present = await store.read.session(lane);
  const isReset = present !== undefined && chance(random, 10);
  const sessionId = isReset ? present.sessionId : takeSessionId(state);
  const session = buildSession(random, state, lane, isReset ? present.revision : 0, sessionId);
  const isRefused = chance(random, 20);
  return {
    ...buildItem(random, state, isRefused ? "" : lane),
    ...(isRefused ? {} : await buildWork(random, lane, store)),
    laneCap: isReset ? NO_CAP : pick(random, CAPS),
    deliveries: buildDeliveries(random, state, 2),
    ...(isRefused ? { refused: "not allowed", ...buildRefusedMore(random, state) } : {}),
    ...(isReset || !(isOrphan || chance(random, 15)) ? { session } : {}),
    ...(chance(random, 50) ? { writer: { channel: "test", peer: pick(random, ["ada", "bob"]) } } : {}),
    ...(chance(random, 50) ? { knownRevision: random(4) } : {}),
    ...(chance(random, 50) ? { ifFull: buildDelivery(random, state) } : {}),
  };
}

/** A message to a child's session may steer the run that it has. */
async function buildWork(random: RandomSource, lane: string, store: Store): Promise<Pick<ReceivedItem, "runId">> {
  const [run] = await store.read.runs({ childSessionKey: lane, newest: true, limit: 1 });
  return run && chance(random, 50) ? { runId: run.runId } : {};
}

/** A stranger's pairing, a new version of what was sent before, or nothing. */
function buildRefusedMore(random: RandomSource, state: ModelState): Pick<ReceivedItem, "pairing" | "amendment"> {
  const choice = random(3);
  if (choice === 0) return { pairing: buildPairing(random, state) };
  if (choice === 1 || state.items.length === 0) return {};
  const { dedupe } = pick(random, state.items.slice(-10));
  return { amendment: { dedupe, body: JSON.stringify({ text: takeId(state, "edit") }) } };
}

/** Of a lane that is ready, mostly. */
export async function buildClaim(random: RandomSource, state: ModelState, store: Store): Promise<ClaimStep> {
  const isRepeat = chance(random, 15) && state.claimIds.length > 0;
  const claimId = isRepeat ? pick(random, state.claimIds) : takeId(state, "claim");
  if (!isRepeat) state.claimIds.push(claimId);
  const ready = (await store.read.readyLanes({ limit: 9 })).map((row) => row.lane);
  const children = ready.filter((key) => modelChildLanes.some((child) => child === key));
  const drawn = [children, children, ready, modelTurnLanes].filter((keys) => keys.length > 0);
  const lane = pick(random, pick(random, drawn));
  const claim = { step: "claim", lane, owner: pick(random, modelOwners), claimId } as const;
  const waiting = chance(random, 30) ? await store.read.openItems({ lane, limit: 9 }) : [];
  return {
    ...claim,
    ...(chance(random, 50) ? { knownRevision: random(4) } : {}),
    ...(waiting.length > 0 ? { itemSeq: pick(random, waiting).seq } : {}),
    ...(chance(random, 30) ? { isBesideSuspects: true } : {}),
  };
}

/** At most one thing is wrong with it, so that drivers need not agree on which fault they name. */
export async function buildCommand(random: RandomSource, state: ModelState, store: Store): Promise<CommandStep> {
  const waiting = await store.read.waitingCommands({ limit: 5 });
  const fault = pick(random, ["none", "none", "none", "item", "epoch", "revision", "lane", "route", "code"] as const);
  const known = waiting.length > 0 ? pick(random, waiting) : undefined;
  const other = state.items.length > 0 ? pick(random, state.items) : { lane: modelLanes[0], seq: 1 };
  const { lane, seq } = fault === "item" || !known ? other : known;
  const present = await store.read.session(lane);
  const { epoch } = await store.read.lane(lane);
  const sessionId = present?.sessionId ?? `none of ${lane}`;
  const revision = (present?.revision ?? 0) + (fault === "revision" ? 1 : 0);
  const session = buildSession(random, state, lane, revision, sessionId);
  const behind = chance(random, 20) && state.items.length > 0 ? { taken: [pick(random, state.items).seq] } : {};
  const stop = {
    epoch: fault === "epoch" ? epoch + 1 : epoch,
    ...(fault === "none" && chance(random, 20) ? { isRunning: true as const } : {}),
    sessionId,
    entries: buildEntries(random, state, 2),
    ...behind,
  };
  const isOfLink = fault === "route" || fault === "code";
  const link = await buildLinkEffect(random, state, store, isOfLink ? fault : "none");
  const itemLane = fault === "lane" ? "agent:nobody:main" : lane;
  return {
    step: "command",
    lane,
    seq,
    items: chance(random, 30) || fault === "lane" ? [buildItem(random, state, itemLane)] : [],
    deliveries: buildDeliveries(random, state, 2),
    ...(fault === "epoch" || chance(random, 40) ? { stop } : {}),
    ...(fault === "revision" || (present !== undefined && chance(random, 30)) ? { session } : {}),
    ...(isOfLink || (fault === "none" && chance(random, 40)) ? { link } : {}),
    ...(fault === "none" ? await buildRunEffect(random, state, store, lane) : {}),
  };
}

/** At most one, so that drivers need not agree on which of them they refuse. */
async function buildRunEffect(
  random: RandomSource,
  state: ModelState,
  store: Store,
  lane: string,
): Promise<Pick<CommandStep, "accept" | "runs" | "bind" | "stop" | "retry" | "answer" | "prioritize">> {
  switch (random(8)) {
    case 1:
      return { accept: await buildAccept(random, state, store) };
    case 2:
      return { runs: await buildEnds(random, state, store, [lane]) };
    case 3:
      return { bind: await buildBindEffect(random, state, store) };
    case 4:
      return chance(random, 35) ? { stop: await buildStopElsewhere(random, state, store) } : {};
    case 5:
      return { retry: await buildRetryEffect(random, state, store) };
    case 6:
      return { answer: await buildAnswerEffect(random, state, store) };
    case 7: {
      const [row] = await store.read.openItems({ lane, kinds: ["message", "nested"], limit: 3 });
      return row === undefined ? {} : { prioritize: { seq: row.seq, priority: 1 + (row.seq % 10) } };
    }
    default:
      return {};
  }
}
