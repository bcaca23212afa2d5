import { findRunNode, type RunNode, type RunRecord, readRunTree } from "@banyan/core";
import type { StoreReads } from "@banyan/store";
import { findSession } from "./find-session.ts";
import { findStoredRunIfAny } from "./find-stored-run.ts";
import { iterateNewestRuns } from "./list-runs.ts";

/** Of one tree at once; all that is unfinished is there besides. */
const MOST_RUNS = 1_000;

/** The runs below a session. */
export interface ShownTree {
  readonly sessionKey: string;
  readonly nodes: readonly RunNode[];
}

/**
 * A look at the trees that a person means, to be taken again and again: of a run and what is below it, of a session, or
 * of every session that has something at work. What was once seen at work is shown to its end, also when it is put away
 * with it. Throws `run_not_found` and `session_not_found`.
 */
export async function createTreeLook(
  read: StoreReads,
  given: string | undefined,
): Promise<() => Promise<readonly ShownTree[]>> {
  const seen = new Set<string>();
  const isShown = (run: RunRecord): boolean => {
    if (run.archivedAtMs === undefined) seen.add(run.runId);
    return seen.has(run.runId);
  };
  const lookBelow = async (sessionKey: string): Promise<ShownTree> => {
    const { nodes } = await readRunTree(read, { sessionKey, mostRuns: MOST_RUNS, isShown });
    return { sessionKey, nodes };
  };
  if (given === undefined) {
    const roots = new Set<string>();
    return async () => {
      for await (const { rootSessionKey } of iterateNewestRuns(read, { state: "unfinished" }))
        roots.add(rootSessionKey);
      return Promise.all([...roots].map(lookBelow));
    };
  }
  const run = await findStoredRunIfAny(read, given);
  if (run === undefined) {
    const { key } = await findSession(read, given);
    return async () => [await lookBelow(key)];
  }
  const { runId, rootSessionKey } = run;
  seen.add(runId);
  return async () => {
    const { nodes } = await lookBelow(rootSessionKey);
    const node = findRunNode(nodes, runId);
    return [{ sessionKey: rootSessionKey, nodes: node === undefined ? [] : [node] }];
  };
}
