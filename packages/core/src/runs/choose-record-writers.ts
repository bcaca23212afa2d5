import type { RunRow, StoreReads } from "@banyan/store";
import { UNFINISHED_STATES } from "./run-record.ts";

/**
 * Of runs that end together, those that say in their session's record how it ended: the last one of each session that
 * works for nothing else.
 */
export async function chooseRecordWriters(
  ending: readonly RunRow[],
  read: Pick<StoreReads, "runs">,
): Promise<ReadonlySet<string>> {
  const ids = new Set(ending.map(({ runId }) => runId));
  const last = new Map(ending.map(({ childSessionKey, runId }) => [childSessionKey, runId]));
  const writers = new Set<string>();
  for (const [childSessionKey, runId] of last) {
    const unfinished = await read.runs({ childSessionKey, states: UNFINISHED_STATES, limit: ids.size + 1 });
    if (unfinished.every((run) => ids.has(run.runId))) writers.add(runId);
  }
  return writers;
}
