import { formatDuration } from "@banyan/plugin-sdk";
import type { TimerRow } from "@banyan/store";
import { endRuns } from "../../runs/end-runs.ts";
import { parseRunBody } from "../../runs/run-body.ts";
import { isUnfinished } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { asFired, endTimer } from "./due-timer.ts";

/** A run has taken too long: it ends with what it has said so far. */
export async function timeOutRun(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const run = await parts.store.read.run(timer.subject);
  if (run === undefined || !isUnfinished(run)) return endTimer(timer, parts);
  const { timeoutMs = timer.dueAtMs - timer.armedAtMs } = parseRunBody(run.body);
  const ended = await endRuns(
    {
      runIds: [run.runId],
      reason: "timeout",
      error: `It took longer than ${formatDuration(timeoutMs)}.`,
      by: "timer",
      timer: asFired(timer),
    },
    parts,
  );
  // It came to its end by itself meanwhile.
  if (ended.length === 0) await endTimer(timer, parts);
}
