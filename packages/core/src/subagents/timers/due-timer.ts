import type { FiredTimer, NewTimer, TimerRow } from "@banyan/store";
import { commitPatiently } from "../../ports/commit-step.ts";
import type { SubagentParts } from "../subagent-parts.ts";

/** As steps carry it. */
export function asFired({ id, dueAtMs }: TimerRow): FiredTimer {
  return { id, dueAtMs };
}

/** It was done, or there is nothing to do any more. */
export async function endTimer(timer: TimerRow, parts: SubagentParts): Promise<void> {
  await setTimer(timer, [], parts);
}

/** It is due again later. */
export async function rearmTimer(timer: TimerRow, dueInMs: number, parts: SubagentParts): Promise<void> {
  const { id, kind, subject } = timer;
  await armAgain(timer, { id, kind, subject, dueInMs }, parts);
}

/** The same with all that is to be said of it. */
export async function armAgain(timer: TimerRow, again: NewTimer, parts: SubagentParts): Promise<void> {
  await setTimer(timer, [again], parts);
}

async function setTimer(timer: TimerRow, arm: readonly NewTimer[], parts: SubagentParts): Promise<void> {
  const { store, ports, signal } = parts;
  await commitPatiently(store, { step: "set_timers", fired: asFired(timer), arm, end: [] }, ports, signal);
}

const FIRST_PAUSE_MS = 5_000;
/** The pauses before this one have lasted about as long together: a day in all. */
const LONGEST_PAUSE_MS = 12 * 60 * 60_000;

/** How long to wait after a timer that was in vain, each time twice as long; `undefined` when a day has gone by. */
export function decideNextPause(
  { armedAtMs, dueAtMs }: Pick<TimerRow, "armedAtMs" | "dueAtMs">,
  firstPauseMs: number = FIRST_PAUSE_MS,
): number | undefined {
  const pauseMs = Math.max(firstPauseMs, (dueAtMs - armedAtMs) * 2);
  return pauseMs > LONGEST_PAUSE_MS ? undefined : pauseMs;
}
