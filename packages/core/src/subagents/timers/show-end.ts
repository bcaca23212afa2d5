import type { TimerRow } from "@banyan/plugin-sdk/store";
import { parseRunBody } from "../../runs/run-body.ts";
import { isUnfinished, type RunRecord } from "../../runs/run-record.ts";
import { readStatus, showStatus } from "../status/show-status.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { decideNextPause, endTimer, rearmTimer } from "./due-timer.ts";

/** What is in the way of a status is over in a moment, mostly. */
const FIRST_PAUSE_MS = 500;

/** The message that showed how runs fare says that they have ended, unless something else took its place. */
export async function showEnd(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const run = await parts.store.read.run(timer.subject);
  const { anchor } = run === undefined ? {} : parseRunBody(run.body);
  if (run === undefined || anchor === undefined) return endTimer(timer, parts);
  const status = await readStatus(anchor, run.requesterSessionKey, parts);
  // Each has a timer of its own, and that of the last one speaks for all: together they would be in each other's way.
  if (findLastEnded(status.runs)?.runId !== run.runId) return endTimer(timer, parts);
  const end = await showStatus(status, parts);
  const isLater = end === "busy" || end === "limited" || end === "unclear";
  const pauseMs = isLater ? decideNextPause(timer, FIRST_PAUSE_MS) : undefined;
  return pauseMs === undefined ? endTimer(timer, parts) : rearmTimer(timer, pauseMs, parts);
}

/** `undefined` while one is at work. */
function findLastEnded(runs: readonly RunRecord[]): RunRecord | undefined {
  if (runs.some(isUnfinished)) return undefined;
  return runs.toSorted((one, other) => (one.endedAtMs ?? 0) - (other.endedAtMs ?? 0)).at(-1);
}
