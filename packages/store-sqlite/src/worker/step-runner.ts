import type { DatabaseSync } from "node:sqlite";
import type { Step, StepResults } from "@banyan/store";
import { runAnswer } from "./answer-step.ts";
import { createChatMover } from "./chat-move.ts";
import { runCommand } from "./command-step.ts";
import { createDeliverySteps } from "./delivery-steps.ts";
import { runMigrateChat } from "./migrate-chat-step.ts";
import { createPruneStep } from "./prune-step.ts";
import { createReceiveStep } from "./receive-step.ts";
import { createRecoverStep } from "./recover-step.ts";
import { runRekey } from "./rekey-step.ts";
import { runSetLinks, runSettlePairing } from "./route-steps.ts";
import { createRunStepRunner } from "./run-step-runner.ts";
import { createSessionMover } from "./session-move.ts";
import type { FindProjectedPos } from "./session-removal.ts";
import { createWriteSessionStep, runAppendEntries } from "./session-steps.ts";
import type { Tables } from "./tables.ts";
import { runClaim, runCommitTurn, runRelease, runSuspicion, runToolResult } from "./turn-steps.ts";

export type StepRunner = (step: Step, nowMs: number) => StepResults[keyof StepResults];

/**
 * Runs one step in the open transaction. A step that is refused or fenced has written nothing. Without
 * `findProjectedPos` there is no layout that must have a transcript before it is removed.
 */
export function createStepRunner(
  database: DatabaseSync,
  tables: Tables,
  findProjectedPos: FindProjectedPos = () => Number.POSITIVE_INFINITY,
): StepRunner {
  const receive = createReceiveStep(database, tables);
  const deliveries = createDeliverySteps(database, tables);
  const writeSession = createWriteSessionStep(database, tables);
  const recover = createRecoverStep(database, tables);
  const run = createRunStepRunner(database, tables);
  const prune = createPruneStep(database, tables, findProjectedPos);
  const movers = { sessions: createSessionMover(database, tables), chats: createChatMover(database, tables) };
  return (step, nowMs) => {
    switch (step.step) {
      case "receive":
        return receive(step, nowMs);
      case "claim":
        return runClaim(tables, step, nowMs);
      case "tool_result":
        return runToolResult(tables, step, nowMs);
      case "answer":
        return runAnswer(tables, step, nowMs);
      case "commit_turn":
        return runCommitTurn(tables, step, nowMs);
      case "release":
        return runRelease(tables, step);
      case "suspicion":
        return runSuspicion(tables, step);
      case "command":
        return runCommand(tables, step, nowMs);
      case "attempt":
        return deliveries.attempt(step);
      case "anchor":
        return deliveries.anchor(step);
      case "settle":
        return deliveries.settle(step, nowMs);
      case "retry_delivery":
        return deliveries.retry(step, nowMs);
      case "drop_delivery":
        return deliveries.drop(step, nowMs);
      case "write_session":
        return writeSession(step, nowMs);
      case "append_entries":
        return runAppendEntries(tables, step);
      case "settle_pairing":
        return runSettlePairing(tables, step, nowMs);
      case "set_links":
        return runSetLinks(tables, step, nowMs);
      case "rekey":
        return runRekey(tables, movers.sessions, step, nowMs);
      case "migrate_chat":
        return runMigrateChat(tables, movers, step, nowMs);
      case "recover":
        return recover(step, nowMs);
      case "prune":
        return prune(step, nowMs);
      default:
        return run(step, nowMs);
    }
  };
}
