import type { TimerRow } from "@banyan/plugin-sdk/store";
import { parseRunBody } from "../../runs/run-body.ts";
import { isUnfinished } from "../../runs/run-record.ts";
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
  // The end of the last one arms it anew.
  if (status.runs.some(isUnfinished)) return endTimer(timer, parts);
  const end = await showStatus(status, parts);
  const isLater = end === "busy" || end === "limited" || end === "unclear";
  const pauseMs = isLater ? decideNextPause(timer, FIRST_PAUSE_MS) : undefined;
  return pauseMs === undefined ? endTimer(timer, parts) : rearmTimer(timer, pauseMs, parts);
}
