/** Runs and their steps with everything that a case does not care about filled in. */

import type { NewBinding } from "../binding-steps.ts";
import type { NewItem } from "../new-rows.ts";
import type { RunIdentity } from "../run-rows.ts";
import type { AcceptRunStep, EndRunsStep, ReserveRunStep, RunEnd } from "../run-steps.ts";
import type { NewTimer } from "../timer-steps.ts";
import { sampleAddress, sampleItem, sampleLane, sampleSession } from "./sample-step.ts";

const PLENTY = 1_000;

export function childKey(runId: string): string {
  return `agent:main:child:${runId}`;
}

/** Asked for by the sample lane. */
export function sampleRun(runId: string, more: Partial<RunIdentity> = {}): RunIdentity {
  return {
    runId,
    dedupe: `call ${runId}`,
    childSessionKey: childKey(runId),
    requesterSessionKey: sampleLane,
    rootSessionKey: sampleLane,
    isAwaited: true,
    route: sampleAddress,
    body: JSON.stringify({ task: runId }),
    ...more,
  };
}

/** Asked for by another run. */
export function sampleChild(runId: string, parent: RunIdentity, more: Partial<RunIdentity> = {}): RunIdentity {
  const requesterSessionKey = parent.childSessionKey;
  return sampleRun(runId, { requesterSessionKey, parentRunId: parent.runId, ...more });
}

export function sampleReserve(run: RunIdentity, more: Partial<ReserveRunStep> = {}): ReserveRunStep {
  return { step: "reserve_run", run, mostChildren: PLENTY, mostTreeRuns: PLENTY, ...more };
}

export function sampleTask({ runId, childSessionKey: lane }: RunIdentity, more: Partial<NewItem> = {}): NewItem {
  return sampleItem(`task of ${runId}`, { lane, kind: "nested", runId, ...more });
}

/** Its child has a session of its own. */
export function sampleAccept(run: RunIdentity, more: Partial<AcceptRunStep> = {}): AcceptRunStep {
  const { runId, childSessionKey } = run;
  const body = JSON.stringify({ task: runId, isAccepted: true });
  const session = sampleSession(childSessionKey);
  return { step: "accept_run", runId, session, item: sampleTask(run), timers: [], body, ...more };
}

export function sampleCompletion(run: RunIdentity, more: Partial<NewItem> = {}): NewItem {
  const { runId, requesterSessionKey: lane, parentRunId } = run;
  const dedupe = `completion|${runId}`;
  const worksFor = parentRunId === undefined ? {} : { runId: parentRunId };
  return sampleItem(`completion of ${runId}`, { lane, dedupe, kind: "completion", ...worksFor, ...more });
}

/** Its requester is told. */
export function sampleEnd(run: RunIdentity, more: Partial<RunEnd> = {}): RunEnd {
  const result = JSON.stringify({ text: `result of ${run.runId}` });
  const completion = sampleCompletion(run);
  return {
    runId: run.runId,
    endedReason: "complete",
    result,
    completion,
    deliveries: [],
    timers: [],
    endTimers: [],
    ...more,
  };
}

/** Nobody is told. */
export function sampleQuietEnd(run: RunIdentity, more: Partial<RunEnd> = {}): RunEnd {
  const { completion: _, ...end } = sampleEnd(run);
  return { ...end, endedReason: "killed", settledBy: "nobody", ...more };
}

export function sampleEndRuns(ends: readonly RunEnd[], more: Partial<EndRunsStep> = {}): EndRunsStep {
  return { step: "end_runs", ends, closed: [], ...more };
}

export function sampleTimer(id: string, more: Partial<NewTimer> = {}): NewTimer {
  return { id, kind: "archive", subject: "r", dueInMs: 60_000, ...more };
}

export function sampleBinding(id: string, sessionKey: string, more: Partial<NewBinding> = {}): NewBinding {
  return { id, address: `${sampleAddress}/thread`, sessionKey, kind: "thread", ...more };
}
