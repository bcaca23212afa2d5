import type { NewItem } from "../../new-rows.ts";
import type { RunRow, RunState } from "../../run-rows.ts";
import type { EndRuns, EndRunsStep, RunEnd, RunSpeech, TurnRun } from "../../run-steps.ts";
import type { Step } from "../../steps.ts";
import type { Store } from "../../store.ts";
import type { TurnStop } from "../../turn-stop.ts";
import { type ModelState, modelAddresses, modelTurnLanes, takeId } from "./model-state.ts";
import { buildDeliveries, buildEntries, buildItem, buildSession } from "./random-row.ts";
import { buildAsker, buildEndTimers, buildFired, buildTimers } from "./random-run.ts";
import { chance, pick, type RandomSource } from "./random-source.ts";

const REASONS = ["complete", "error", "timeout", "killed", "interrupted"] as const;
const SPEAKERS = ["host", "parent", "nobody"] as const;
const BEGUN: readonly RunState[] = ["accepted", "running", "waiting"];

export async function buildEndRuns(random: RandomSource, state: ModelState, store: Store): Promise<EndRunsStep> {
  const audit = { actor: "operator", action: "kill", detail: takeId(state, "audit") };
  return {
    step: "end_runs",
    ...(await buildEnds(random, state, store, [])),
    ...(await buildFired(random, store)),
    ...(chance(random, 30) ? { audit } : {}),
    ...(chance(random, 20) ? { stop: await buildStopElsewhere(random, state, store) } : {}),
    ...(await buildAsker(audit.detail, store)),
  };
}

/** Where nobody runs it, it is refused. */
export async function buildStopElsewhere(
  random: RandomSource,
  state: ModelState,
  store: Store,
): Promise<TurnStop & { readonly lane: string }> {
  const lane = pick(random, modelTurnLanes);
  const { epoch } = await store.read.lane(lane);
  const sessionId = (await store.read.session(lane))?.sessionId ?? `none of ${lane}`;
  return { lane, epoch, sessionId, entries: buildEntries(random, state, 2), taken: [] };
}

/** `written`: sessions that the step writes already. */
export async function buildEnds(
  random: RandomSource,
  state: ModelState,
  store: Store,
  written: readonly string[],
): Promise<EndRuns> {
  const states = chance(random, 5) ? {} : { states: BEGUN };
  const rows = [...(await store.read.runs({ ...states, newest: true, limit: 5 }))];
  const taken = new Set(written);
  const ends: RunEnd[] = [];
  for (let left = 1 + random(3); left > 0 && rows.length > 0; left -= 1) {
    const [run] = rows.splice(random(rows.length), 1);
    if (run) ends.push(await buildEnd(random, state, store, run, taken));
  }
  const closed = chance(random, 20) && rows[0] ? [rows[0].requesterSessionKey] : [];
  const closedRuns = chance(random, 20) && rows[0] ? { closedRuns: [rows[0].parentRunId ?? rows[0].runId] } : {};
  return { ends, closed, ...closedRuns };
}

/** What the end of a turn means for the run that it works for. */
export async function buildTurnRun(
  random: RandomSource,
  state: ModelState,
  store: Store,
  run: RunRow,
  lane: string,
): Promise<TurnRun> {
  const own = await buildEnd(random, state, store, run, new Set([lane, run.childSessionKey]));
  const runId = chance(random, 5) ? "no run" : run.runId;
  const ends = chance(random, 20) ? [] : [own];
  return { runId, mayWait: chance(random, 70), ends, closed: chance(random, 10) ? [lane] : [] };
}

/** Of runs that nobody has told of, mostly. */
export async function buildSpeeches(random: RandomSource, store: Store): Promise<{ speeches?: readonly RunSpeech[] }> {
  if (!chance(random, 30)) return {};
  const query = chance(random, 90) ? { unsettled: true as const } : {};
  const rows = await store.read.runs({ ...query, newest: true, limit: 1 + random(2) });
  const newest = rows.length < 2 ? {} : { toldWithRunId: rows[0]?.runId ?? "" };
  return { speeches: rows.map(({ runId }) => ({ runId, by: pick(random, SPEAKERS), ...newest })) };
}

/** Rarely is something wrong with it. */
async function buildEnd(
  random: RandomSource,
  state: ModelState,
  store: Store,
  run: RunRow,
  taken: Set<string>,
): Promise<RunEnd> {
  const { runId, childSessionKey } = run;
  const present = await store.read.session(childSessionKey);
  const { epoch } = await store.read.lane(childSessionKey);
  const sessionId = present?.sessionId ?? `none of ${childSessionKey}`;
  const isStale = chance(random, 4);
  const stop = { epoch: isStale ? epoch + 1 : epoch, sessionId, entries: buildEntries(random, state, 2) };
  const revision = (present?.revision ?? 0) + (chance(random, 4) ? 1 : 0);
  const session = buildSession(random, state, childSessionKey, revision, sessionId);
  const isWritten = present !== undefined && !taken.has(childSessionKey) && chance(random, 30);
  if (isWritten) taken.add(childSessionKey);
  const completion = await buildCompletion(random, state, store, run);
  return {
    runId,
    endedReason: pick(random, REASONS),
    result: JSON.stringify({ text: takeId(state, "result") }),
    deliveries: buildDeliveries(random, state, 1).map((delivery) => ({ ...delivery, runId })),
    timers: buildTimers(random),
    endTimers: buildEndTimers(random),
    ...(chance(random, 50) ? { target: pick(random, modelAddresses) } : {}),
    ...(chance(random, 20) ? { settledBy: pick(random, SPEAKERS) } : {}),
    ...(chance(random, 80) ? { completion } : {}),
    ...(isWritten ? { session } : {}),
    ...(chance(random, 40) ? { stop } : {}),
    ...(chance(random, 30) ? { unbinds: true } : {}),
  };
}

/** For the requester; now and then for the root, or for a lane that is not there any more. */
async function buildCompletion(
  random: RandomSource,
  state: ModelState,
  store: Store,
  { runId, requesterSessionKey, rootSessionKey, parentRunId }: RunRow,
): Promise<NewItem> {
  const requester = await store.read.session(requesterSessionKey);
  const isGone = requester === undefined || requester.archivedAtMs !== undefined;
  const lane = (isGone && !chance(random, 10)) || chance(random, 5) ? rootSessionKey : requesterSessionKey;
  return {
    ...buildItem(random, state, lane),
    dedupe: `completion|${runId}`,
    kind: "completion",
    ...(parentRunId === undefined ? {} : { runId: parentRunId }),
    ...(chance(random, 15) ? { wake: "append" } : {}),
  };
}

/** Items that a step writes without saying their `seq`. */
export function listInnerItems(step: Step): readonly NewItem[] {
  switch (step.step) {
    case "accept_run":
      return [step.item];
    case "end_runs":
      return listCompletions(step);
    case "commit_turn":
      return listCompletions(step.run);
    case "command":
      return [...(step.accept ? [step.accept.item] : []), ...listCompletions(step.runs)];
    default:
      return [];
  }
}

function listCompletions(runs: EndRuns | undefined): readonly NewItem[] {
  return (runs?.ends ?? []).flatMap(({ completion }) => completion ?? []);
}
