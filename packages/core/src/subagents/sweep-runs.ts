import { endIdleRun, isIdle } from "../runs/end-idle-run.ts";
import { endRuns } from "../runs/end-runs.ts";
import { iterateUnfinished } from "../runs/read-runs-below.ts";
import { undoReservation } from "./spawn/undo-spawn.ts";
import type { SubagentParts } from "./subagent-parts.ts";

/**
 * What earlier processes left of runs, looked at before anything moves: reservations are taken back, and runs that
 * nothing will ever move end as interrupted, so that nobody waits for them. Reads the unfinished ones only; repeatable.
 */
export async function sweepRuns(given: SubagentParts): Promise<void> {
  // Whatever has something to do is taken up after this.
  const parts = { ...given, wakeLanes: () => undefined };
  const unfinished: string[] = [];
  for await (const { runId } of iterateUnfinished({}, parts.store.read)) unfinished.push(runId);
  let [undone, ended] = [0, 0];
  // The newest first: what a child leaves may be what moves its parent.
  for (const runId of unfinished.toReversed()) {
    try {
      const swept = await sweepRun(runId, parts);
      if (swept === "undone") undone += 1;
      if (swept === "ended") ended += 1;
    } catch (error) {
      // One that cannot be judged must not keep all others from their work.
      parts.ports.log.error({ err: error, runId }, "a run of an earlier process is left as it is");
    }
  }
  if (undone + ended > 0) parts.ports.log.warn({ undone, ended }, "an earlier process left sub-agents unfinished");
}

async function sweepRun(runId: string, parts: SubagentParts): Promise<"undone" | "ended" | "left"> {
  const run = await parts.store.read.run(runId);
  if (run === undefined || run.state === "ended") return "left";
  if (run.state === "reserved") {
    await undoReservation(run, parts);
    return "undone";
  }
  if (await endIdleRun(runId, parts)) return "ended";
  if (!(await isIdle(run, parts))) return "left";
  const error = "The process that it ran in ended, and nothing was left to go on with.";
  const ended = await endRuns({ runIds: [runId], reason: "interrupted", error, by: "sweep" }, parts);
  return ended.length > 0 ? "ended" : "left";
}
