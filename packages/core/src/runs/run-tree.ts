import { isUnfinished } from "@banyan/store";
import type { RunRecord } from "./run-record.ts";

/** A run and those that its child spawned, in the order in which they were. */
export interface RunNode {
  readonly run: RunRecord;
  readonly children: readonly RunNode[];
}

/**
 * The runs that a session spawned, and theirs below them. `records` by creation. A run stands below the run in whose
 * turn it was asked for; where that is not named, below the newest earlier run of the session that asked. One whose
 * requester is nowhere among `records` stands at the top of the root's tree, so that none is hidden.
 */
export function buildRunTree(
  records: readonly RunRecord[],
  { sessionKey, rootSessionKey }: { readonly sessionKey: string; readonly rootSessionKey: string },
): readonly RunNode[] {
  const top: RunRecord[] = [];
  const below = new Map<string, RunRecord[]>();
  const byId = new Map<string, RunRecord>();
  const newestOf = new Map<string, RunRecord>();
  for (const run of records) {
    const { runId, parentRunId, requesterSessionKey } = run;
    const named = parentRunId === undefined ? undefined : byId.get(parentRunId);
    const parent = named ?? (requesterSessionKey === rootSessionKey ? undefined : newestOf.get(requesterSessionKey));
    const isTop = sessionKey === rootSessionKey ? parent === undefined : requesterSessionKey === sessionKey;
    if (isTop) top.push(run);
    else if (parent !== undefined) below.get(parent.runId)?.push(run);
    // Only earlier ones are ever looked up, so nothing can stand below itself.
    below.set(runId, []);
    byId.set(runId, run);
    newestOf.set(run.childSessionKey, run);
  }
  const buildNode = (run: RunRecord): RunNode => ({ run, children: (below.get(run.runId) ?? []).map(buildNode) });
  return top.map(buildNode);
}

/** Every run of a tree, each before those below it. */
export function listTreeRuns(nodes: readonly RunNode[]): readonly RunRecord[] {
  return nodes.flatMap(({ run, children }) => [run, ...listTreeRuns(children)]);
}

/** By creation, as people and agents number them. */
export function listRunsByAge(nodes: readonly RunNode[]): readonly RunRecord[] {
  return listTreeRuns(nodes).toSorted((one, other) => one.createdAtMs - other.createdAtMs);
}

export function hasUnfinished(nodes: readonly RunNode[]): boolean {
  return nodes.some(({ run, children }) => isUnfinished(run) || hasUnfinished(children));
}

/** The part of a tree that is at or below one run. */
export function findRunNode(nodes: readonly RunNode[], runId: string): RunNode | undefined {
  for (const node of nodes) {
    const found = node.run.runId === runId ? node : findRunNode(node.children, runId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * At most `most` runs, the unfinished ones before those that ended last; and the ones above them, so that each hangs
 * where it did. `hidden` counts what was left out.
 */
export function trimRunTree(
  nodes: readonly RunNode[],
  most: number,
): { readonly nodes: readonly RunNode[]; readonly hidden: number } {
  const runs = listTreeRuns(nodes);
  if (runs.length <= most) return { nodes, hidden: 0 };
  const ranked = runs.toSorted(
    (one, other) => Number(isUnfinished(other)) - Number(isUnfinished(one)) || other.changedAtMs - one.changedAtMs,
  );
  const kept = new Set(ranked.slice(0, most).map(({ runId }) => runId));
  const trimmed = nodes.flatMap((node) => keepNode(node, kept));
  return { nodes: trimmed, hidden: runs.length - listTreeRuns(trimmed).length };
}

function keepNode({ run, children }: RunNode, kept: ReadonlySet<string>): readonly RunNode[] {
  const rest = children.flatMap((child) => keepNode(child, kept));
  return rest.length > 0 || kept.has(run.runId) ? [{ run, children: rest }] : [];
}
