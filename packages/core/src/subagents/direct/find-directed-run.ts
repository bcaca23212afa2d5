import { type FoundRun, findRun } from "../../runs/find-run.ts";
import type { RunRecord } from "../../runs/run-record.ts";

/**
 * The run that an agent or a person means, among those that a listing showed. Of several runs of one sub-agent it is the
 * newest: whoever names it means the sub-agent.
 */
export function findDirectedRun(listed: readonly RunRecord[], target: string): FoundRun {
  const found = findRun(listed, target);
  if (found.status !== "ambiguous") return found;
  const newest = found.candidates.at(-1);
  const isOneChild = new Set(found.candidates.map(({ childSessionKey }) => childSessionKey)).size === 1;
  return newest !== undefined && isOneChild ? { status: "found", run: newest } : found;
}
