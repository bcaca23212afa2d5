/** How a run ended. */
export type RunOutcome = "done" | "failed" | "killed" | "timeout" | "interrupted";

/** The stored result of a run: frozen in the transaction that ended it. */
export interface Completion {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly label?: string;
  /** How the task began, at most 200 characters. */
  readonly task: string;
  readonly outcome: RunOutcome;
  /** The platform's id of whoever's message brought the run about. Absent: no spawn did, but a message to its session. */
  readonly askedBy?: string;
  /** At most 100 KiB; a notice stands where it was cut. Empty: the run ended without a visible answer. */
  readonly result: string;
  /** The child asked that the chat is told nothing. */
  readonly isSilent?: true;
  /** The host had announced it in the chat before its requester read it. No part of the run's own result. */
  readonly isAnnounced?: true;
  /** With an outcome other than `done`: a sentence. */
  readonly error?: string;
  /** From the acceptance to the end. */
  readonly durationMs: number;
  readonly totalTokens?: number;
  readonly costUsd?: number;
}
