import type { AcceptRun, AcceptRunStep, Already, Refused, StepResults } from "@banyan/store";
import { refuse } from "./refusal.ts";
import { hasEnded, isFenced } from "./run-steps.ts";
import type { Tables } from "./tables.ts";
import { storeWaitingItem } from "./waiting-item.ts";

/** T1. */
export function runAccept(tables: Tables, step: AcceptRunStep, nowMs: number): StepResults["accept_run"] {
  const obstacle = findAcceptObstacle(tables, step);
  const asked = obstacle?.status === "already" ? undefined : tables.runs.find(step.runId);
  if (asked !== undefined && isFenced(tables, asked.requesterSessionKey, step.epoch)) return { status: "fenced" };
  if (obstacle?.status === "refused") return obstacle;
  if (obstacle === undefined) {
    if (!mayGive(tables, step)) return refuse("conflict");
    acceptRun(tables, step, nowMs);
    if (step.giver !== undefined) tables.sessions.write(step.giver, { kind: "update" }, nowMs);
  }
  return { status: obstacle?.status ?? "done", run: tables.runs.get(step.runId) };
}

function mayGive({ sessions }: Tables, { giver }: AcceptRunStep): boolean {
  if (giver === undefined) return true;
  return sessions.isListed(giver.key) && sessions.decide(giver).kind === "update";
}

/** Looked at before the first write of a step. `already`: it was accepted before. */
export function findAcceptObstacle(tables: Tables, accept: AcceptRun): Refused | Already | undefined {
  const run = tables.runs.find(accept.runId);
  if (run === undefined) return refuse("not_found");
  if (run.endedReason === "spawn-failed") return refuse("wrong_state");
  if (run.state !== "reserved") return { status: "already" };
  if (hasEnded(tables, run.parentRunId)) return refuse("ended");
  const isInserted = accept.session !== undefined;
  if (!isInserted && !tables.sessions.isListed(run.childSessionKey)) return refuse("no_session");
  if (!tables.sessions.isListed(run.requesterSessionKey)) return refuse("no_session");
  const isTaken = isInserted && tables.sessions.findStanding(run.childSessionKey) !== undefined;
  const hasMoved = (accept.requesterSessionKey ?? run.requesterSessionKey) !== run.requesterSessionKey;
  return isTaken || hasMoved || accept.item.lane !== run.childSessionKey ? refuse("conflict") : undefined;
}

export function acceptRun(tables: Tables, accept: AcceptRun, nowMs: number): void {
  const { runId, session, entries = [], item } = accept;
  if (session !== undefined) tables.sessions.write(session, { kind: "insert" }, nowMs);
  const sessionId = session?.sessionId ?? tables.sessions.find(item.lane)?.sessionId;
  if (sessionId !== undefined) {
    tables.entries.append({ sessionId, sessionKey: item.lane, itemSeq: undefined }, entries);
  }
  storeWaitingItem(tables, item, nowMs);
  tables.timers.arm(accept.timers, nowMs);
  if (accept.binding !== undefined) tables.bindings.write(accept.binding, nowMs);
  tables.runs.accept(runId, accept.body, nowMs);
}
