import type { DatabaseSync } from "node:sqlite";
import type { ArchiveRunStep, ArchiveSessionStep, StepResults } from "@banyan/store";
import { ITEM_STATE } from "../database/code.ts";
import { refuse } from "./refusal.ts";
import type { RunStanding } from "./run-table.ts";
import type { Tables } from "./tables.ts";

export interface ArchiveSteps {
  run(step: ArchiveRunStep, nowMs: number): StepResults["archive_run"];
  session(step: ArchiveSessionStep, nowMs: number): StepResults["archive_session"];
}

const { waiting, active, held } = ITEM_STATE;
const OPEN: readonly (number | undefined)[] = [waiting, active, held];

export function createArchiveSteps(database: DatabaseSync, tables: Tables): ArchiveSteps {
  const unsettledOfRun = database.prepare(
    "SELECT 1 FROM deliveries INDEXED BY deliveries_of_run WHERE run_id = ? AND state < 3 LIMIT 1",
  );
  const unsettledOfSession = database.prepare(
    "SELECT 1 FROM deliveries INDEXED BY deliveries_unsettled WHERE state < 3 AND session_key = ? LIMIT 1",
  );

  /** Of the run, of the one that it was told with, or of the session. */
  function hasUnsettled(runId: string, { childSessionKey, toldWithRunId = runId }: RunStanding): boolean {
    const isTold = [runId, toldWithRunId].every((id) => unsettledOfRun.get(id) === undefined);
    return !isTold || unsettledOfSession.get(childSessionKey) !== undefined;
  }

  return {
    run(step, nowMs) {
      if (!tables.timers.stands(step.timer)) return { status: "already" };
      const run = tables.runs.findStanding(step.runId);
      if (run === undefined) return refuse("not_found");
      if (run.isArchived) {
        tables.timers.settle(step.timer);
        return { status: "already" };
      }
      if (run.state !== "ended") return refuse("wrong_state");
      const key = run.childSessionKey;
      if (isBusy(tables, key) || hasUnsettled(step.runId, run) || isCompletionOpen(tables, step.runId)) {
        return refuse("busy");
      }
      tables.runs.archive(step.runId, nowMs);
      if (tables.sessions.isListed(key)) archiveSession(tables, key, "with_run", nowMs);
      tables.timers.settle(step.timer);
      tables.timers.arm(step.timers, nowMs);
      return { status: "done" };
    },
    session({ key, audit }, nowMs) {
      const session = tables.sessions.findStanding(key);
      if (session === undefined) return refuse("not_found");
      if (session.isArchived) return { status: "already" };
      if (isBusy(tables, key)) return refuse("busy");
      archiveSession(tables, key, "alone", nowMs);
      tables.audit.write(audit, nowMs);
      return { status: "done" };
    },
  };
}

function archiveSession(tables: Tables, key: string, how: "with_run" | "alone", nowMs: number): void {
  tables.sessions.archive(key, how, nowMs);
  tables.bindings.removeOf(key);
}

/** Whether a session works for a run or waits for one, or has something in its lane. */
function isBusy(tables: Tables, key: string): boolean {
  if (tables.openRuns.hasAround(key)) return true;
  const lane = tables.lanes.find(key);
  return lane !== undefined && (lane.owner !== undefined || lane.hasWaiting || tables.heldItems.hasInLane(lane.id));
}

/** Whether the requester has not written it down yet. */
function isCompletionOpen(tables: Tables, runId: string): boolean {
  const seq = tables.items.findDuplicate(`completion|${runId}`);
  return seq !== undefined && OPEN.includes(tables.items.findStanding(seq)?.state);
}
