import type {
  AcceptRunStep,
  AnnounceRunStep,
  EndRunsStep,
  Refused,
  ReserveRunStep,
  StepResults,
  UndoRunStep,
} from "@banyan/plugin-sdk/store";
import { writeAudit } from "../tables/audit-table.ts";
import { writeDeliveries } from "../tables/delivery-table.ts";
import { freeHeldItems } from "../tables/held-item.ts";
import { holdsFence } from "../tables/lane-table.ts";
import { changeRun, countRuns, endRun, findRun, findRunByDedupe, hasEnded, insertRun } from "../tables/run-table.ts";
import { decideSessionWrite, findRevision, standsOpen, writeSession } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";
import { removeFired, standsArmed } from "../tables/timer-table.ts";
import { applyAccept, findAcceptRefusal } from "./run-accept.ts";
import { applyEnds, findEndRefusal, freeWhatWaited } from "./run-end.ts";
import { canStop, stopTurn } from "./turn-stop.ts";

export function applyReserveRun(tables: Tables, step: ReserveRunStep, nowMs: number): StepResults["reserve_run"] {
  const standing = findRunByDedupe(tables, step.run.dedupe);
  const isRepeat = standing?.runId === step.run.runId;
  if (!isRepeat && isFenced(tables, step.run.requesterSessionKey, step.epoch)) return { status: "fenced" };
  if (standing) return { status: "already", run: standing };
  const reason = findReserveReason(tables, step);
  return reason ? { status: "refused", reason } : { status: "done", run: insertRun(tables, step.run, nowMs) };
}

function findReserveReason(
  tables: Tables,
  { run, mostChildren, mostTreeRuns }: ReserveRunStep,
): Refused["reason"] | undefined {
  const { runId, requesterSessionKey, rootSessionKey, parentRunId } = run;
  if (findRun(tables, runId)) return "conflict";
  if (!standsOpen(tables, requesterSessionKey)) return "no_session";
  if (parentRunId !== undefined && hasEnded(tables, parentRunId)) return "ended";
  if (countRuns(tables, "unfinishedRequester", requesterSessionKey) >= mostChildren) return "children";
  return countRuns(tables, "unfinishedRoot", rootSessionKey) >= mostTreeRuns ? "tree" : undefined;
}

/** Whether the turn that asks has lost its lane. */
function isFenced(tables: Tables, lane: string, epoch: number | undefined): boolean {
  return epoch !== undefined && !holdsFence(tables.lanes.get(lane), epoch);
}

export function applyAcceptRun(tables: Tables, step: AcceptRunStep, nowMs: number): StepResults["accept_run"] {
  const obstacle = findAcceptRefusal(tables, step);
  if (obstacle && "runId" in obstacle) return { status: "already", run: obstacle };
  const asked = findRun(tables, step.runId);
  if (asked && isFenced(tables, asked.requesterSessionKey, step.epoch)) return { status: "fenced" };
  if (obstacle) return obstacle;
  if (!mayGive(tables, step)) return { status: "refused", reason: "conflict" };
  const run = applyAccept(tables, step, nowMs);
  if (step.giver) writeSession(tables, step.giver, nowMs);
  return { status: "done", run };
}

function mayGive(tables: Tables, { giver }: AcceptRunStep): boolean {
  if (!giver) return true;
  return standsOpen(tables, giver.key) && decideSessionWrite(giver, findRevision(tables, giver.key)) === "write";
}

export function applyUndoRun(tables: Tables, { runId, askedBy }: UndoRunStep, nowMs: number): StepResults["undo_run"] {
  const run = findRun(tables, runId);
  if (!run) return { status: "refused", reason: "not_found" };
  if (run.state === "ended") return { status: "already" };
  if (askedBy && isFenced(tables, askedBy.lane, askedBy.epoch)) return { status: "fenced" };
  if (run.state !== "reserved") return { status: "refused", reason: "wrong_state" };
  endRun(tables, runId, { endedReason: "spawn-failed", settledBy: "nobody" }, nowMs);
  freeHeldItems(tables, runId, "append");
  if (run.parentRunId !== undefined) freeWhatWaited(tables, run.parentRunId);
  return { status: "done" };
}

export function applyEndRuns(tables: Tables, step: EndRunsStep, nowMs: number): StepResults["end_runs"] {
  if (!standsArmed(tables, step.timer)) return { status: "already" };
  if (isThrough(tables, step)) {
    removeFired(tables, step.timer);
    return { status: "already" };
  }
  const { stop, askedBy } = step;
  if (askedBy && isFenced(tables, askedBy.lane, askedBy.epoch)) return { status: "fenced" };
  if (stop && !canStop(tables, stop)) return { status: "refused", reason: "conflict" };
  const refusal = findEndRefusal(tables, step);
  if (refusal) return refusal;
  removeFired(tables, step.timer);
  if (step.audit) writeAudit(tables, step.audit, nowMs);
  if (stop) stopTurn(tables, stop.lane, stop);
  const wakes = new Set([...(stop ? [stop.lane] : []), ...applyEnds(tables, step, nowMs)]);
  return { status: "done", wakes: [...wakes] };
}

function isThrough(tables: Tables, { ends, stop }: EndRunsStep): boolean {
  const isStopped = stop === undefined || !canStop(tables, stop);
  const isAsked = ends.length > 0 || stop !== undefined;
  return isAsked && isStopped && ends.every(({ runId }) => findRun(tables, runId)?.state === "ended");
}

export function applyAnnounceRun(tables: Tables, step: AnnounceRunStep, nowMs: number): StepResults["announce_run"] {
  if (!standsArmed(tables, step.timer)) return { status: "already" };
  const run = findRun(tables, step.runId);
  if (!run) return { status: "refused", reason: "not_found" };
  if (run.state !== "ended") return { status: "refused", reason: "wrong_state" };
  removeFired(tables, step.timer);
  if (run.settledBy !== undefined) return { status: "already" };
  changeRun(tables, run.runId, { settledBy: "host" });
  writeDeliveries(tables, step.deliveries, nowMs);
  return { status: "done" };
}
