import type {
  AnnounceRunStep,
  EnqueueStep,
  ReserveRunStep,
  StepResults,
  TurnClaim,
  UndoRunStep,
} from "@banyan/plugin-sdk/store";
import { freeHeld } from "./completion.ts";
import { holdsFence } from "./lane-table.ts";
import { refuse } from "./refusal.ts";
import type { Tables } from "./tables.ts";
import { insertWaitingItem } from "./waiting-item.ts";

/** T1a. */
export function runReserve(tables: Tables, step: ReserveRunStep, nowMs: number): StepResults["reserve_run"] {
  const { run } = step;
  const standing = tables.runs.findByDedupe(run.dedupe);
  const isRepeat = standing?.runId === run.runId;
  if (!isRepeat && isFenced(tables, run.requesterSessionKey, step.epoch)) return { status: "fenced" };
  if (standing !== undefined) return { status: "already", run: standing };
  if (tables.runs.findStanding(run.runId) !== undefined) return refuse("conflict");
  if (!tables.sessions.isListed(run.requesterSessionKey)) return refuse("no_session");
  if (hasEnded(tables, run.parentRunId)) return refuse("ended");
  if (tables.openRuns.hasAsked(run.requesterSessionKey, step.mostChildren)) return refuse("children");
  if (tables.openRuns.hasGrown(run.rootSessionKey, step.mostTreeRuns)) return refuse("tree");
  tables.runs.reserve(run, nowMs);
  return { status: "done", run: tables.runs.get(run.runId) };
}

/** Whether the turn that asks has lost its lane. */
export function isFenced(tables: Tables, lane: string, epoch: number | undefined): boolean {
  return epoch !== undefined && !holdsFence(tables.lanes.find(lane), epoch);
}

export function isAskerFenced(tables: Tables, askedBy: TurnClaim | undefined): boolean {
  return askedBy !== undefined && isFenced(tables, askedBy.lane, askedBy.epoch);
}

/** Whether a run that is named has ended or is gone. */
export function hasEnded(tables: Tables, runId: string | undefined): boolean {
  if (runId === undefined) return false;
  const state = tables.runs.findStanding(runId)?.state;
  return state === undefined || state === "ended";
}

export function runUndo(tables: Tables, step: UndoRunStep, nowMs: number): StepResults["undo_run"] {
  const run = tables.runs.findStanding(step.runId);
  if (run === undefined) return refuse("not_found");
  if (run.state === "ended") return { status: "already" };
  if (isAskerFenced(tables, step.askedBy)) return { status: "fenced" };
  if (run.state !== "reserved") return refuse("wrong_state");
  tables.runs.undo(step.runId, nowMs);
  freeHeld(tables, step.runId);
  if (run.parentRunId !== undefined) freeHeld(tables, run.parentRunId);
  return { status: "done" };
}

export function runAnnounce(tables: Tables, step: AnnounceRunStep, nowMs: number): StepResults["announce_run"] {
  if (!tables.timers.stands(step.timer)) return { status: "already" };
  const run = tables.runs.findStanding(step.runId);
  if (run === undefined) return refuse("not_found");
  if (run.state !== "ended") return refuse("wrong_state");
  tables.timers.settle(step.timer);
  if (run.isSettled) return { status: "already" };
  tables.runs.settle({ runId: step.runId, by: "host" });
  tables.deliveries.insertAll(step.deliveries, nowMs);
  return { status: "done" };
}

export function runEnqueue(tables: Tables, { item, askedBy }: EnqueueStep, nowMs: number): StepResults["enqueue"] {
  const seq = tables.items.findDuplicate(item.dedupe);
  if (seq !== undefined) return { status: "already", seq };
  if (isAskerFenced(tables, askedBy)) return { status: "fenced" };
  if (!tables.sessions.isListed(item.lane)) return refuse("no_session");
  return { status: "done", seq: insertWaitingItem(tables, item, nowMs) };
}
