import type { StoreReads } from "@banyan/store";
import { readRunTree } from "./read-run-tree.ts";
import type { RunRecord } from "./run-record.ts";
import { listRunsByAge } from "./run-tree.ts";

/**
 * The runs below a session as a listing numbers them: by creation, so that the last one is the newest. Tasks and results
 * are cut to their beginning; what was put away is left out.
 */
export async function readListedRuns(
  read: Pick<StoreReads, "runs">,
  sessionKey: string,
): Promise<readonly RunRecord[]> {
  const { nodes } = await readRunTree(read, { sessionKey });
  return listRunsByAge(nodes);
}
