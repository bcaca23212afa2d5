import type { Step, StepResults } from "@banyan/plugin-sdk/store";
import type { Tables } from "../tables/tables.ts";
import { applyAnswer } from "./answer-step.ts";
import { applyArchiveRun, applyArchiveSession } from "./archive-steps.ts";
import { applyBind, applySetTimers } from "./binding-steps.ts";
import { applyCommand } from "./command-step.ts";
import { applyAnchor, applyAttempt, applyDropDelivery, applyRetryDelivery, applySettle } from "./delivery-steps.ts";
import { applyEnqueue } from "./enqueue-step.ts";
import { applyMigrateChat, applyRekey } from "./move-steps.ts";
import { applyPrune } from "./prune-step.ts";
import { applyReceive } from "./receive-step.ts";
import { applyRecover } from "./recover-step.ts";
import { applySetLinks, applySettlePairing } from "./route-steps.ts";
import { applyAcceptRun, applyAnnounceRun, applyEndRuns, applyReserveRun, applyUndoRun } from "./run-steps.ts";
import { applyAppendEntries, applyWriteSession } from "./session-steps.ts";
import { applyClaim, applyCommitTurn, applyRelease, applySuspicion, applyToolResult } from "./turn-steps.ts";

/** Applies one step whole, or changes nothing. */
export function applyStep(tables: Tables, step: Step, nowMs: number): StepResults[keyof StepResults] {
  switch (step.step) {
    case "receive":
      return applyReceive(tables, step, nowMs);
    case "claim":
      return applyClaim(tables, step, nowMs);
    case "tool_result":
      return applyToolResult(tables, step, nowMs);
    case "answer":
      return applyAnswer(tables, step, nowMs);
    case "commit_turn":
      return applyCommitTurn(tables, step, nowMs);
    case "release":
      return applyRelease(tables, step);
    case "suspicion":
      return applySuspicion(tables, step);
    case "command":
      return applyCommand(tables, step, nowMs);
    case "write_session":
      return applyWriteSession(tables, step, nowMs);
    case "append_entries":
      return applyAppendEntries(tables, step);
    case "settle_pairing":
      return applySettlePairing(tables, step, nowMs);
    case "set_links":
      return applySetLinks(tables, step, nowMs);
    case "rekey":
      return applyRekey(tables, step, nowMs);
    case "migrate_chat":
      return applyMigrateChat(tables, step, nowMs);
    case "reserve_run":
      return applyReserveRun(tables, step, nowMs);
    case "accept_run":
      return applyAcceptRun(tables, step, nowMs);
    case "undo_run":
      return applyUndoRun(tables, step, nowMs);
    case "end_runs":
      return applyEndRuns(tables, step, nowMs);
    case "announce_run":
      return applyAnnounceRun(tables, step, nowMs);
    case "enqueue":
      return applyEnqueue(tables, step, nowMs);
    case "archive_run":
      return applyArchiveRun(tables, step, nowMs);
    case "archive_session":
      return applyArchiveSession(tables, step, nowMs);
    case "set_timers":
      return applySetTimers(tables, step, nowMs);
    case "bind":
      return applyBind(tables, step, nowMs);
    case "recover":
      return applyRecover(tables, step, nowMs);
    case "prune":
      return applyPrune(tables, step, nowMs);
    default:
      return applyDeliveryStep(tables, step, nowMs);
  }
}

type DeliveryStepName = "attempt" | "anchor" | "settle" | "retry_delivery" | "drop_delivery";

function applyDeliveryStep(
  tables: Tables,
  step: Extract<Step, { step: DeliveryStepName }>,
  nowMs: number,
): StepResults[DeliveryStepName] {
  switch (step.step) {
    case "attempt":
      return applyAttempt(tables, step);
    case "anchor":
      return applyAnchor(tables, step);
    case "settle":
      return applySettle(tables, step, nowMs);
    case "retry_delivery":
      return applyRetryDelivery(tables, step, nowMs);
    case "drop_delivery":
      return applyDropDelivery(tables, step, nowMs);
  }
}
