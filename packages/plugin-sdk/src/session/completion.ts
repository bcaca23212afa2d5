/** How a run ended. */
export type RunOutcome = "done" | "failed" | "killed" | "timeout" | "interrupted";

/** The stored result of a run: frozen in the transaction that ended it. */
export interface Completion {
  readonly runId: string;
  readonly label?: string;
  readonly outcome: RunOutcome;
  /** At most 100 KiB; a notice stands where it was cut. */
  readonly result: string;
  readonly durationMs: number;
  readonly totalTokens?: number;
}
