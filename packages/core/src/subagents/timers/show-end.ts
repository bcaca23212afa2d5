import type { TimerRow } from "@banyan/store";
import { parseRunBody } from "../../runs/run-body.ts";
import { isUnfinished } from "../../runs/run-record.ts";
import { readStatus, showStatus } from "../status/show-status.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { decideNextPause, endTimer, rearmTimer } from "./due-timer.ts";
import { sayInstead } from "./say-instead.ts";

/** What is in the way of a status is over in a moment, mostly. */
const FIRST_PAUSE_MS = 500;
/** Between a turn's end as it is composed and as it is stored. */
const LONGEST_WRITE_MS = 4_000;
const LONGEST_PAUSE_MS = 12 * 60 * 60_000;

/** The message that showed how runs fare says that they have ended, unless something else took its place. */
export async function showEnd(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const run = await parts.store.read.run(timer.subject);
  const { anchor } = run === undefined ? {} : parseRunBody(run.body);
  if (run === undefined || anchor === undefined) return endTimer(timer, parts);
  const status = await readStatus(anchor, run.requesterSessionKey, parts);
  // The end of the last one arms it anew.
  if (status.runs.some(isUnfinished)) return endTimer(timer, parts);
  const end = await showStatus(status, parts);
  if (end === "refused" && status.row !== undefined) return sayInstead(timer, status.row, status.text, parts);
  if (end === "done" || end === "claimed" || end === "gone") return endTimer(timer, parts);
  const pauseMs = decideNextPause(timer, FIRST_PAUSE_MS);
  // It is being written by a turn that ends just now, or no turn has shown one.
  if (end === "absent" && (pauseMs === undefined || pauseMs > LONGEST_WRITE_MS)) return endTimer(timer, parts);
  // A platform may be out of reach for days; what it shows meanwhile is wrong.
  return rearmTimer(timer, pauseMs ?? LONGEST_PAUSE_MS, parts);
}
