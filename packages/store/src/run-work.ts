/** What runs and their inputs may still do. Pure; a driver decides by it, and the core foresees it by the same. */
import type { ItemRow } from "./rows.ts";
import type { RunRow, RunState } from "./run-rows.ts";

export const UNFINISHED_STATES: readonly RunState[] = ["reserved", "accepted", "running", "waiting"];

export function isUnfinished({ state }: Pick<RunRow, "state">): boolean {
  return state !== "ended";
}

/** Whether T4 may end it. What is only reserved is undone instead. */
export function isEndable(run: Pick<RunRow, "state">): boolean {
  return isUnfinished(run) && run.state !== "reserved";
}

/** Whether a turn of an input runs or is still to run: only then is an answer to what it asked awaited. */
export function hasTurnToCome({ state, wake }: Partial<Pick<ItemRow, "state" | "wake">>): boolean {
  return (state === "waiting" || state === "active") && wake !== "append";
}

/** What is left of a run when one of its turns ends. Each is asked only where those before it say no. */
export interface LeftOfRun {
  /** Whether a run that it has asked for, and whose end it awaits, is unfinished. */
  awaitsRun(): boolean;
  /** Whether an input of its lane is held for it. */
  holdsInput(): boolean;
  /** The inputs of its lane that wait for a turn. */
  listWaiting(): readonly number[];
}

/** Whether a run has more to come than the turn that ends, which took these inputs along. */
export function isRunToWait(left: LeftOfRun, taken: readonly number[]): boolean {
  return left.awaitsRun() || left.holdsInput() || left.listWaiting().some((seq) => !taken.includes(seq));
}
