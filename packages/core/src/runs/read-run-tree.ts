import type { RunState, StoreReads } from "@banyan/store";
import { type FindLiveNote, parseRunOutline, type RunRecord, UNFINISHED_STATES, withLiveNote } from "./run-record.ts";
import { buildRunTree, type RunNode } from "./run-tree.ts";

/** Results may be long: few rows are held at once. */
const PAGE_ROWS = 200;
const MOST_RUNS = 10_000;

export interface RunTree {
  /** The top of the tree that the session belongs to. */
  readonly rootSessionKey: string;
  readonly nodes: readonly RunNode[];
}

export interface RunTreeQuery {
  /** Of the tree's top, or of a child: then what is below it. */
  readonly sessionKey: string;
  /** Ended runs, the newest ones. Unfinished ones are all read. Default and bound 10,000. */
  readonly mostRuns?: number;
  /** Default: all but those whose session was put away. One above a run that is shown is shown. */
  readonly isShown?: (run: RunRecord) => boolean;
  /** Default: what runs at work say is not told. */
  readonly findNote?: FindLiveNote;
}

/** The tree of runs below a session. Tasks and results are cut to their beginning. */
export async function readRunTree(
  read: Pick<StoreReads, "runs">,
  { sessionKey, mostRuns = MOST_RUNS, isShown = isThere, findNote = () => undefined }: RunTreeQuery,
): Promise<RunTree> {
  const [own] = await read.runs({ childSessionKey: sessionKey, newest: true, limit: 1 });
  const rootSessionKey = own?.rootSessionKey ?? sessionKey;
  const records = await readTreeRuns(read, rootSessionKey, Math.min(mostRuns, MOST_RUNS));
  const told = records.map((run) => withLiveNote(run, findNote));
  const nodes = buildRunTree(told, { sessionKey, rootSessionKey });
  return { rootSessionKey, nodes: nodes.flatMap((node) => keepShown(node, isShown)) };
}

/** By creation, ascending. */
async function readTreeRuns(
  read: Pick<StoreReads, "runs">,
  rootSessionKey: string,
  mostRuns: number,
): Promise<readonly RunRecord[]> {
  const newest = await readNewest(read, { rootSessionKey }, mostRuns);
  if (newest.length < mostRuns) return newest;
  const known = new Set(newest.map(({ runId }) => runId));
  // All that the newest do not hold is older than any of them.
  const unfinished = await readNewest(read, { rootSessionKey, states: UNFINISHED_STATES }, MOST_RUNS);
  return [...unfinished.filter(({ runId }) => !known.has(runId)), ...newest];
}

async function readNewest(
  read: Pick<StoreReads, "runs">,
  query: { readonly rootSessionKey: string; readonly states?: readonly RunState[] },
  most: number,
): Promise<readonly RunRecord[]> {
  let records: readonly RunRecord[] = [];
  while (records.length < most) {
    const limit = Math.min(PAGE_ROWS, most - records.length);
    const before = records[0]?.runId;
    const page = await read.runs({
      ...query,
      newest: true,
      limit,
      ...(before === undefined ? {} : { afterRunId: before }),
    });
    records = [...page.map(parseRunOutline), ...records];
    if (page.length < limit) break;
  }
  return records;
}

function isThere({ archivedAtMs }: RunRecord): boolean {
  return archivedAtMs === undefined;
}

/** A spawn that failed was never anybody's. */
function keepShown({ run, children }: RunNode, isShown: (run: RunRecord) => boolean): readonly RunNode[] {
  const rest = children.flatMap((child) => keepShown(child, isShown));
  return (run.status !== "undone" && isShown(run)) || rest.length > 0 ? [{ run, children: rest }] : [];
}
