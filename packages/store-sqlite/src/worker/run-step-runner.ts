import type { DatabaseSync } from "node:sqlite";
import type { RunStep, StepResults } from "@banyan/store";
import { runAccept } from "./accept-run.ts";
import { createArchiveSteps } from "./archive-steps.ts";
import { runBind, runSetTimers } from "./binding-effect.ts";
import { runEndRuns } from "./end-runs.ts";
import { runAnnounce, runEnqueue, runReserve, runUndo } from "./run-steps.ts";
import type { Tables } from "./tables.ts";

export function createRunStepRunner(
  database: DatabaseSync,
  tables: Tables,
): (step: RunStep, nowMs: number) => StepResults[RunStep["step"]] {
  const archive = createArchiveSteps(database, tables);
  return (step, nowMs) => {
    switch (step.step) {
      case "reserve_run":
        return runReserve(tables, step, nowMs);
      case "accept_run":
        return runAccept(tables, step, nowMs);
      case "undo_run":
        return runUndo(tables, step, nowMs);
      case "end_runs":
        return runEndRuns(tables, step, nowMs);
      case "announce_run":
        return runAnnounce(tables, step, nowMs);
      case "enqueue":
        return runEnqueue(tables, step, nowMs);
      case "archive_run":
        return archive.run(step, nowMs);
      case "archive_session":
        return archive.session(step, nowMs);
      case "set_timers":
        return runSetTimers(tables, step, nowMs);
      case "bind":
        return runBind(tables, step, nowMs);
    }
  };
}
