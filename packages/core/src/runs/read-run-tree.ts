import type { RunRow, RunState, StoreReads } from "@banyan/plugin-sdk/store";
import { parseRunRow, type RunRecord } from "./run-record.ts";
import { buildRunTree, type RunNode } from "./run-tree.ts";

const UNFINISHED_STATES: readonly RunState[] = ["reserved", "accepted", "running", "waiting"];
/** Results may be long: few rows are held at once. */
const PAGE_ROWS = 200;
const MOST_RUNS = 10_000;
/** Of a task and a result a tree shows the beginning. */
const TEXT_LIMIT_CHARS = 500;

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
  /** With those whose session was put away. Default: left out, unless something unfinished needs them. */
  readonly withArchived?: boolean;
}

/** The tree of runs below a session. Tasks and results are cut to their beginning. */
export async function readRunTree(
  read: Pick<StoreReads, "runs">,
  { sessionKey, mostRuns = MOST_RUNS, withArchived = false }: RunTreeQuery,
): Promise<RunTree> {
  const [own] = await read.runs({ childSessionKey: sessionKey, newest: true, limit: 1 });
  const rootSessionKey = own?.rootSessionKey ?? sessionKey;
  const records = await readTreeRuns(read, rootSessionKey, Math.min(mostRuns, MOST_RUNS));
  const nodes = buildRunTree(records, { sessionKey, rootSessionKey });
  return { rootSessionKey, nodes: nodes.flatMap((node) => keepShown(node, withArchived)) };
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
    records = [...page.map(parseShortRow), ...records];
    if (page.length < limit) break;
  }
  return records;
}

function parseShortRow(row: RunRow): RunRecord {
  const { body, completion, ...rest } = parseRunRow(row);
  const short = {
    ...rest,
    body: { ...body, task: cut(body.task) },
  };
  return completion === undefined ? short : { ...short, completion: { ...completion, result: cut(completion.result) } };
}

function cut(text: string): string {
  return text.length <= TEXT_LIMIT_CHARS ? text : text.slice(0, TEXT_LIMIT_CHARS).toWellFormed();
}

/** A spawn that failed was never anybody's; what was put away is shown where something below it is shown. */
function keepShown({ run, children }: RunNode, withArchived: boolean): readonly RunNode[] {
  const rest = children.flatMap((child) => keepShown(child, withArchived));
  const isShown = run.status !== "undone" && (withArchived || run.archivedAtMs === undefined);
  return isShown || rest.length > 0 ? [{ run, children: rest }] : [];
}
