import type { LimitsConfig } from "../config.ts";

const DAY_MS = 24 * 60 * 60_000;

export const DEFAULT_LIMITS: LimitsConfig = {
  maxConcurrent: 8,
  maxTreeRuns: 64,
  answerMinutes: 10,
  runRetentionDays: 30,
  auditRetentionDays: 90,
};

/** How long a question waits for its answer. */
export function getAnswerMs(limits: Partial<LimitsConfig> | undefined): number {
  return (limits?.answerMinutes ?? DEFAULT_LIMITS.answerMinutes) * 60_000;
}

/** How many runs there may be, and how long they are kept. */
export interface RunLimits {
  /** Children whose turn runs, in the process; a run above it stays `accepted`. */
  readonly maxConcurrent: number;
  /** Unfinished runs below one root session. */
  readonly maxTreeRuns: number;
  /** How long the record of an ended run stays. */
  readonly runRetentionMs: number;
  /** How long a line of the audit stays. */
  readonly auditRetentionMs: number;
}

/** The limits with every default filled in. */
export function getRunLimits(limits: Partial<LimitsConfig> | undefined): RunLimits {
  const { runRetentionDays, auditRetentionDays, answerMinutes: _, ...rest } = { ...DEFAULT_LIMITS, ...limits };
  return { ...rest, runRetentionMs: runRetentionDays * DAY_MS, auditRetentionMs: auditRetentionDays * DAY_MS };
}
