import { formatDuration } from "@banyan/plugin-sdk";
import { formatPlainLine } from "../ports/plain-text.ts";
import type { RunRecord, RunStatus } from "./run-record.ts";

/** One line of a listing of runs, as an agent reads it. */
export interface RunLine {
  /** Its place in the listing, counted from 1: `findRun` knows it by that. */
  readonly number: number;
  readonly runId: string;
  readonly label: string;
  readonly state: RunStatus;
  /** Since it was asked for, such as `3 min 5 s`. */
  readonly age: string;
  /** Absent: unknown. */
  readonly tokens?: number;
}

export interface RunLineFacts {
  readonly number: number;
  readonly now: number;
  /** What the child's session has used so far; an ended run has its own figure. */
  readonly totalTokens?: number | undefined;
}

export function describeRun(run: RunRecord, { number, now, totalTokens }: RunLineFacts): RunLine {
  const tokens = run.completion?.totalTokens ?? totalTokens;
  return {
    number,
    runId: run.runId,
    label: formatPlainLine(run.name),
    state: run.status,
    age: formatDuration(now - run.createdAtMs),
    ...(tokens === undefined ? {} : { tokens }),
  };
}
