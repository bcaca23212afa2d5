import type { Completion, RunOutcome } from "@banyan/plugin-sdk";
import type { RunEndReason, RunRow } from "@banyan/store";
import { freezeResult } from "./freeze-result.ts";
import { nameRun, type RunBody } from "./run-body.ts";
import { isAnnounceSkip, isVisible } from "./silent-answer.ts";

/** What people and agents are told of each way to end. */
export const OUTCOMES: Readonly<Record<RunEndReason, RunOutcome>> = {
  complete: "done",
  error: "failed",
  "spawn-failed": "failed",
  timeout: "timeout",
  killed: "killed",
  "session-reset": "killed",
  "session-delete": "killed",
  interrupted: "interrupted",
};
const TASK_CHARS = 200;

/** What a run leaves when it ends. */
export interface RunFinish {
  readonly reason: RunEndReason;
  /** The agent's latest words. */
  readonly answer: string;
  /** A sentence, unless it is `complete`. */
  readonly error?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly totalTokens?: number | undefined;
  readonly costUsd?: number | undefined;
}

/** The frozen result of a run. Its status comes from how the run ended, never from what it says. */
export function buildCompletion(run: RunRow, body: RunBody, finish: RunFinish): Completion {
  const { reason, answer, error, now, totalTokens, costUsd } = finish;
  return {
    runId: run.runId,
    childSessionKey: run.childSessionKey,
    ...(body.label === undefined && body.taskName === undefined ? {} : { label: nameRun(body) }),
    task: body.task.trim().slice(0, TASK_CHARS).toWellFormed(),
    outcome: OUTCOMES[reason],
    ...(body.askedBy === undefined ? {} : { askedBy: body.askedBy }),
    result: isVisible(answer) ? freezeResult(answer) : "",
    ...(isAnnounceSkip(answer) && reason === "complete" ? { isSilent: true } : {}),
    ...(error === undefined ? {} : { error }),
    durationMs: Math.max(0, now - run.createdAtMs),
    ...(totalTokens === undefined ? {} : { totalTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
