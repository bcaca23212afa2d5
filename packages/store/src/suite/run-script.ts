/** What most cases of runs begin with, in one line each. */
import assert from "node:assert/strict";
import type { Claim } from "../results.ts";
import type { ItemRow, ItemState, ItemWake } from "../rows.ts";
import type { RunIdentity, RunRow } from "../run-rows.ts";
import type { AcceptRunStep, RunEnd } from "../run-steps.ts";
import type { Step } from "../steps.ts";
import type { Store } from "../store.ts";
import type { FiredTimer, NewTimer } from "../timer-steps.ts";
import { sampleAccept, sampleEndRuns, sampleReserve, sampleRun } from "./sample-run.ts";
import { sampleLane } from "./sample-step.ts";
import { claimLane, writeTranscript } from "./store-script.ts";

/** The step must be `done`. */
export async function commitDone(store: Store, step: Step): Promise<void> {
  const result = await store.commit(step);
  assert.equal(result.status, "done", `${step.step}: ${JSON.stringify(result)}`);
}

/** The session of the sample lane stands and asks for the run, which is not accepted yet. */
export async function reserveRun(store: Store, run: RunIdentity): Promise<void> {
  if ((await store.read.session(sampleLane)) === undefined) await writeTranscript(store, sampleLane);
  await commitDone(store, sampleReserve(run));
}

export async function acceptRun(store: Store, run: RunIdentity, more: Partial<AcceptRunStep> = {}): Promise<void> {
  await reserveRun(store, run);
  await commitDone(store, sampleAccept(run, more));
}

/** Its first turn runs. */
export async function startRun(store: Store, run: RunIdentity, more: Partial<AcceptRunStep> = {}): Promise<Claim> {
  await acceptRun(store, run, more);
  return claimLane(store, run.childSessionKey, `first claim of ${run.runId}`);
}

/** The run "r" of the sample lane, whose turn runs. */
export async function startParent(store: Store): Promise<{ readonly parent: RunIdentity; readonly claim: Claim }> {
  const parent = sampleRun("r");
  return { parent, claim: await startRun(store, parent) };
}

/** Ends runs in a step of its own; the lanes that now have something to do, sorted. */
export async function endRuns(store: Store, ...ends: readonly RunEnd[]): Promise<readonly string[]> {
  const result = await store.commit(sampleEndRuns(ends));
  if (result.status !== "done") assert.fail(`end_runs: ${JSON.stringify(result)}`);
  return result.wakes.toSorted();
}

export async function getRun(store: Store, runId: string): Promise<RunRow> {
  const row = await store.read.run(runId);
  assert.ok(row, `run ${runId} is not in the store`);
  return row;
}

export async function stateOf(store: Store, { runId }: RunIdentity): Promise<RunRow["state"]> {
  return (await getRun(store, runId)).state;
}

export async function getItem(store: Store, dedupe: string): Promise<ItemRow> {
  const row = await store.read.itemByDedupe(dedupe);
  assert.ok(row, `item ${dedupe} is not in the store`);
  return row;
}

/** What became of a run's completion. */
export async function completionOf(store: Store, { runId }: RunIdentity): Promise<readonly [ItemState, ItemWake]> {
  const { state, wake = "turn" } = await getItem(store, `completion|${runId}`);
  return [state, wake];
}

/** Arms it; as a step carries it that was fired by it. */
export async function armTimer(store: Store, timer: NewTimer): Promise<FiredTimer> {
  await commitDone(store, { step: "set_timers", arm: [timer], end: [] });
  const row = (await store.read.timers({ limit: 99 })).find(({ id }) => id === timer.id);
  assert.ok(row, `timer ${timer.id} is not in the store`);
  return { id: row.id, dueAtMs: row.dueAtMs };
}

export async function listTimerIds(store: Store): Promise<readonly string[]> {
  return (await store.read.timers({ limit: 99 })).map(({ id }) => id);
}
