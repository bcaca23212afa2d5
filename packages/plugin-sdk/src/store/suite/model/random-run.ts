import type { BindEffect, BindStep, NewBinding } from "../../binding-steps.ts";
import type { NewDelivery, SessionWrite } from "../../new-rows.ts";
import type { RunIdentity, RunRow } from "../../run-rows.ts";
import type {
  AcceptRun,
  AcceptRunStep,
  AnnounceRunStep,
  ReserveRunStep,
  TurnClaim,
  UndoRunStep,
} from "../../run-steps.ts";
import type { Store, StoreReads } from "../../store.ts";
import type { FiredTimer, NewTimer, SetTimersStep } from "../../timer-steps.ts";
import {
  type ModelState,
  modelAccounts,
  modelAddresses,
  modelChildLanes,
  modelNewAddresses,
  modelTurnLanes,
  takeId,
  takeSessionId,
} from "./model-state.ts";
import { buildDeliveries, buildEntries, buildItem, buildSession } from "./random-row.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

const MOST_CHILDREN = [1, 3, 50, 50] as const;
const MOST_TREE_RUNS = [2, 5, 50, 50] as const;
const TIMER_IDS = ["timer 1", "timer 2", "timer 3", "timer 4"] as const;
const NOBODY = "agent:nobody:main";

export async function buildReserve(random: RandomSource, state: ModelState, store: Store): Promise<ReserveRunStep> {
  const run = await buildIdentity(random, state, store);
  const mostChildren = pick(random, MOST_CHILDREN);
  const mostTreeRuns = pick(random, MOST_TREE_RUNS);
  return { step: "reserve_run", run, mostChildren, mostTreeRuns, ...(await buildFence(run, store)) };
}

/** Of the turn that runs in the requester's lane; for some runs of the latest one, which has ended. Without a draw. */
async function buildFence(
  { runId, requesterSessionKey }: Pick<RunIdentity, "runId" | "requesterSessionKey">,
  store: Store,
): Promise<{ epoch?: number }> {
  const { epoch, owner } = await store.read.lane(requesterSessionKey);
  return owner !== undefined || runId.endsWith("3") ? { epoch } : {};
}

/** As a turn asks for it, always of the same lane. Without a draw. */
export async function buildAsker(id: string, store: Store): Promise<{ askedBy?: TurnClaim }> {
  const [lane = NOBODY] = modelTurnLanes;
  const { epoch } = await buildFence({ runId: id, requesterSessionKey: lane }, store);
  return epoch === undefined ? {} : { askedBy: { lane, epoch } };
}

async function buildIdentity(random: RandomSource, state: ModelState, store: Store): Promise<RunIdentity> {
  const requesterSessionKey = await pickRequester(random, store);
  const own = await store.read.runs({ childSessionKey: requesterSessionKey, newest: true, limit: 3 });
  const unfinished = own.filter((row) => row.state !== "ended");
  const parents = chance(random, 90) ? unfinished : own;
  const parent = parents.length > 0 && chance(random, 85) ? pick(random, parents) : undefined;
  const id = takeId(state, "run");
  const old = state.runIds.length > 0 && chance(random, 6) ? pick(random, state.runIds) : undefined;
  const isRepeat = old !== undefined && chance(random, 60);
  return {
    runId: old !== undefined && !isRepeat ? old : id,
    dedupe: `call ${isRepeat ? old : id}`,
    childSessionKey: pick(random, modelChildLanes),
    requesterSessionKey,
    rootSessionKey: parent?.rootSessionKey ?? requesterSessionKey,
    isAwaited: chance(random, 70),
    route: pick(random, modelAddresses),
    body: JSON.stringify({ task: id }),
    ...(parent ? { parentRunId: parent.runId } : {}),
    ...(chance(random, 30) ? { spawnSeq: random(9) } : {}),
  };
}

/** One that works for a run itself, often: so trees grow. */
async function pickRequester(random: RandomSource, store: Store): Promise<string> {
  if (chance(random, 5)) return NOBODY;
  const running = await store.read.runs({ states: ["running"], newest: true, limit: 4 });
  const children = running.map(({ childSessionKey }) => childSessionKey);
  return pick(random, children.length > 0 && chance(random, 60) ? children : modelTurnLanes);
}

export async function buildAcceptStep(random: RandomSource, state: ModelState, store: Store): Promise<AcceptRunStep> {
  const accept = await buildAccept(random, state, store);
  const key = pick(
    random,
    [...modelTurnLanes, ...modelChildLanes].filter((lane) => lane !== accept.item.lane),
  );
  const giver = chance(random, 25) ? { giver: await buildGiver(random, state, store, key) } : {};
  const run = await store.read.run(accept.runId);
  return { step: "accept_run", ...accept, ...giver, ...(run && (await buildFence(run, store))) };
}

/** Another session as it stands, mostly. */
async function buildGiver(random: RandomSource, state: ModelState, store: Store, key: string): Promise<SessionWrite> {
  const present = await store.read.session(key);
  const expectRevision = chance(random, 20) ? random(3) : (present?.revision ?? 0);
  return buildSession(random, state, key, expectRevision, present?.sessionId ?? takeSessionId(state));
}

export async function buildAccept(random: RandomSource, state: ModelState, store: Store): Promise<AcceptRun> {
  const { runId, childSessionKey } = await pickRun(random, store, { states: ["reserved"] });
  const present = await store.read.session(childSessionKey);
  const session = buildSession(random, state, childSessionKey, 0, takeSessionId(state));
  const lane = chance(random, 5) ? pick(random, modelTurnLanes) : childSessionKey;
  const item = { ...buildItem(random, state, lane), kind: "nested" as const, runId };
  return {
    runId,
    item,
    timers: buildTimers(random),
    body: JSON.stringify({ accepted: runId }),
    ...((present === undefined) === chance(random, 90) ? { session } : {}),
    ...(chance(random, 50) ? { entries: buildEntries(random, state, 2) } : {}),
    ...(chance(random, 30) ? { binding: buildBinding(random, state, childSessionKey) } : {}),
  };
}

export async function buildUndo(random: RandomSource, store: Store): Promise<UndoRunStep> {
  const { runId } = await pickRun(random, store, { states: ["reserved"] });
  return { step: "undo_run", runId, ...(await buildAsker(runId, store)) };
}

export async function buildAnnounce(random: RandomSource, state: ModelState, store: Store): Promise<AnnounceRunStep> {
  const { runId } = await pickRun(random, store, { unsettled: true });
  const deliveries = buildDeliveries(random, state, 1).map((delivery) => ({ ...delivery, runId }));
  return { step: "announce_run", runId, deliveries, ...(await buildFired(random, store)) };
}

/** Some wait for the turn of an item. */
export function buildTimers(random: RandomSource, itemSeqs: readonly number[] = []): readonly NewTimer[] {
  return Array.from({ length: random(3) }, () => {
    const id = pick(random, TIMER_IDS);
    const waits = itemSeqs.length > 0 && chance(random, 70) ? { itemSeq: pick(random, itemSeqs) } : {};
    return { id, kind: "timeout", subject: `subject of ${id}`, dueInMs: random(1_000), ...waits };
  });
}

export function buildEndTimers(random: RandomSource): readonly string[] {
  return chance(random, 30) ? [pick(random, TIMER_IDS)] : [];
}

/** One that stands, mostly, or that was armed anew. */
export async function buildFired(random: RandomSource, store: Store): Promise<{ timer?: FiredTimer }> {
  if (!chance(random, 25)) return {};
  const [row] = await store.read.timers({ limit: 1 });
  const { id, dueAtMs } = row ?? { id: "timer 1", dueAtMs: 0 };
  return { timer: { id, dueAtMs: chance(random, 20) ? dueAtMs + 1 : dueAtMs } };
}

export async function buildSetTimers(random: RandomSource, store: Store): Promise<SetTimersStep> {
  const { timer } = await buildFired(random, store);
  const step = { step: "set_timers", arm: buildTimers(random), end: buildEndTimers(random) } as const;
  return timer ? { ...step, fired: timer, deliveries: [buildSaid(timer)] } : step;
}

/** Without a draw, and never under way: the rest of the steps is as it would be without it. */
function buildSaid({ id: timerId, dueAtMs }: FiredTimer): NewDelivery {
  const id = `said of ${timerId} at ${dueAtMs}`;
  const [address] = modelAddresses;
  const [account] = modelAccounts;
  return {
    ...account,
    id,
    deliveryId: id,
    part: 0,
    of: 1,
    kind: "status",
    address,
    chat: address,
    policy: "at-least-once",
    body: JSON.stringify({ text: id }),
    undeliverable: "nobody is there",
  };
}

export async function buildBind(random: RandomSource, state: ModelState, store: Store): Promise<BindStep> {
  return { step: "bind", ...(await buildBindEffect(random, state, store)), ...(await buildFired(random, store)) };
}

export async function buildBindEffect(random: RandomSource, state: ModelState, store: Store): Promise<BindEffect> {
  const { bindings } = await store.read.routes();
  const standing = bindings.length > 0 && chance(random, 30) ? pick(random, bindings) : undefined;
  const lane = chance(random, 5) ? NOBODY : pick(random, modelTurnLanes);
  const { createdAtMs: _, ...same } = standing ?? { ...buildBinding(random, state, lane), createdAtMs: 0 };
  const effect = { address: same.address, timers: buildTimers(random), endTimers: buildEndTimers(random) };
  if (!chance(random, 30)) return { ...effect, binding: same };
  return { ...effect, binding: null, bindingId: same.id };
}

function buildBinding(random: RandomSource, state: ModelState, sessionKey: string): NewBinding {
  return {
    id: takeId(state, "binding"),
    address: pick(random, [...modelAddresses, ...modelNewAddresses]),
    sessionKey,
    kind: pick(random, ["thread", "focus"] as const),
    ...(chance(random, 50) ? { idleMs: 1_000 } : {}),
    ...(chance(random, 50) ? { maxAgeMs: 9_000 } : {}),
  };
}

/** One for which this holds, mostly; else any one, or none that exists. */
export async function pickRun(
  random: RandomSource,
  store: Store,
  query: Omit<Parameters<StoreReads["runs"]>[0], "limit">,
): Promise<Pick<RunRow, "runId" | "childSessionKey">> {
  const fitting = await store.read.runs({ ...query, newest: true, limit: 6 });
  const rows = fitting.length > 0 && !chance(random, 10) ? fitting : await store.read.runs({ newest: true, limit: 9 });
  const unknown = { runId: "no run", childSessionKey: pick(random, modelChildLanes) };
  return rows.length > 0 && !chance(random, 5) ? pick(random, rows) : unknown;
}
