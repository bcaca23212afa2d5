import type { EndRuns, EndRunsStep, Refused, RunEnd, StepResults } from "@banyan/plugin-sdk/store";
import { freeHeld, storeCompletion, type Wakes } from "./completion.ts";
import { refuse } from "./refusal.ts";
import { isAskerFenced } from "./run-steps.ts";
import type { Tables } from "./tables.ts";
import { findStopped, stopTurn } from "./turn-stop.ts";

/** T4 alone. */
export function runEndRuns(tables: Tables, step: EndRunsStep, nowMs: number): StepResults["end_runs"] {
  if (!tables.timers.stands(step.timer)) return { status: "already" };
  const { ends, stop } = step;
  const stopped = stop && findStopped(tables, stop);
  const isThrough = stopped === undefined && ends.every(({ runId }) => isEnded(tables, runId));
  if (isThrough && (ends.length > 0 || stop !== undefined)) {
    tables.timers.settle(step.timer);
    return { status: "already" };
  }
  if (isAskerFenced(tables, step.askedBy)) return { status: "fenced" };
  if (stop !== undefined && stopped === undefined) return refuse("conflict");
  const refusal = findEndsRefusal(tables, step);
  if (refusal !== undefined) return refusal;
  tables.timers.settle(step.timer);
  if (step.audit !== undefined) tables.audit.write(step.audit, nowMs);
  const wakes: Wakes = new Set();
  if (stop !== undefined && stopped !== undefined) {
    stopTurn(tables, stopped, stop, stop.lane);
    tables.lanes.free(stopped.id);
    wakes.add(stop.lane);
  }
  endRuns(tables, ends, nowMs, wakes);
  return { status: "done", wakes: [...wakes] };
}

function isEnded(tables: Tables, runId: string): boolean {
  return tables.runs.findStanding(runId)?.state === "ended";
}

/** Looked at before the first write of a step. */
export function findEndsRefusal(tables: Tables, { ends, closed, closedRuns = [] }: EndRuns): Refused | undefined {
  const ended = new Set(ends.map(({ runId }) => runId));
  const isPossible =
    ended.size === ends.length &&
    ends.every((end) => canEnd(tables, end)) &&
    closed.every((key) => tables.openRuns.listOfRequester(key).every((runId) => ended.has(runId))) &&
    closedRuns.every((id) => tables.openRuns.listOfParent(id).every((runId) => ended.has(runId)));
  return isPossible ? undefined : refuse("conflict");
}

function canEnd(tables: Tables, { runId, requesterSessionKey, completion, session, stop }: RunEnd): boolean {
  const run = tables.runs.findStanding(runId);
  if (run === undefined || run.state === "ended" || run.state === "reserved") return false;
  if (requesterSessionKey !== undefined && requesterSessionKey !== run.requesterSessionKey) return false;
  if (stop !== undefined && stop.epoch !== (tables.lanes.find(run.childSessionKey)?.epoch ?? 0)) return false;
  if (session !== undefined && tables.sessions.decide(session).kind === "conflict") return false;
  return completion === undefined || tables.sessions.isListed(completion.lane);
}

/** T4, in any step that carries it: the runs first, so that what follows sees them all ended. */
export function endRuns(tables: Tables, ends: readonly RunEnd[], nowMs: number, wakes: Wakes): void {
  for (const end of ends) tables.runs.end(end, nowMs);
  for (const end of ends) endChild(tables, end, nowMs, wakes);
  for (const { completion, deliveries } of ends) {
    if (completion !== undefined) storeCompletion(tables, completion, nowMs, wakes);
    tables.deliveries.insertAll(deliveries, nowMs);
  }
  const waiting = ends.flatMap(({ runId }) => [runId, tables.runs.getStanding(runId).parentRunId]);
  for (const runId of new Set(waiting)) if (runId !== undefined) freeHeld(tables, runId, wakes);
}

function endChild(tables: Tables, end: RunEnd, nowMs: number, wakes: Wakes): void {
  const { runId, session, stop } = end;
  const { childSessionKey } = tables.runs.getStanding(runId);
  if (stop !== undefined) stopLane(tables, { runId, childSessionKey, stop }, wakes);
  if (end.unbinds === true) tables.bindings.removeThreadsOf(childSessionKey);
  tables.timers.end(end.endTimers);
  tables.timers.arm(end.timers, nowMs);
  if (session !== undefined) tables.sessions.writeAll([session], nowMs);
}

interface StoppedRun {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly stop: NonNullable<RunEnd["stop"]>;
}

/** Fences off what the child's lane runs for the run, and for nothing else. */
function stopLane(tables: Tables, { runId, childSessionKey, stop }: StoppedRun, wakes: Wakes): void {
  const lane = tables.lanes.find(childSessionKey);
  const activeSeq = lane?.owner === undefined ? undefined : lane.claimSeq;
  const isOfRun = activeSeq !== undefined && tables.items.findRunId(activeSeq) === runId;
  const itemSeq = isOfRun ? activeSeq : undefined;
  tables.entries.append({ sessionId: stop.sessionId, sessionKey: childSessionKey, itemSeq }, stop.entries);
  if (lane === undefined) return;
  // What it tells may not be written yet: it waits again, with the others.
  const isCompletion = itemSeq !== undefined && tables.items.find(itemSeq)?.kind === "completion";
  if (isCompletion) tables.items.appendAgain(itemSeq);
  tables.items.stopWaiting(lane.id, runId);
  if (itemSeq === undefined) {
    tables.lanes.refresh(lane.id);
    return;
  }
  if (!isCompletion) tables.items.end(itemSeq, "done", undefined);
  tables.lanes.free(lane.id);
  wakes.add(childSessionKey);
}
