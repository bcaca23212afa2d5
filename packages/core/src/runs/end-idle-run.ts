import type { RunRow } from "@banyan/store";
import { endRuns } from "./end-runs.ts";
import { readUnfinishedChildren } from "./read-runs-below.ts";
import type { RunParts } from "./run-parts.ts";

const OPEN_ITEMS = 1_000;

/**
 * A run that waits only for what is gone, such as a spawn that came to nothing, has come to its end with what it said
 * last. Resolves with whether it was one.
 */
export async function endIdleRun(runId: string, parts: RunParts): Promise<boolean> {
  const { read } = parts.store;
  const run = await read.run(runId);
  if (run?.state !== "waiting" || !(await isIdle(run, parts))) return false;
  return (await endRuns({ runIds: [runId], reason: "complete", by: "sweep" }, parts)).length > 0;
}

/** Whether nothing will ever move the run: none of its own children is awaited, and no input of its lane is its. */
export async function isIdle({ runId, childSessionKey }: RunRow, { store }: Pick<RunParts, "store">): Promise<boolean> {
  const [children, open] = await Promise.all([
    readUnfinishedChildren(childSessionKey, store.read),
    store.read.openItems({ lane: childSessionKey, limit: OPEN_ITEMS }),
  ]);
  // In a lane as full as that its own may be among the others.
  if (open.length === OPEN_ITEMS) return false;
  const awaits = children.some(({ parentRunId, isAwaited }) => isAwaited && parentRunId === runId);
  return !awaits && !open.some((item) => item.runId === runId);
}
