import { parseRunOutline, type RunRecord, UNFINISHED_STATES } from "@banyan/core";
import type { RunState, StoreReads } from "@banyan/store";

/** Results may be long: few rows are held at once. */
const PAGE_ROWS = 200;

export interface RunQuery {
  /** Who asked for them. */
  readonly requesterSessionKey?: string | undefined;
  /** A status of a run, or `unfinished`. */
  readonly state?: string | undefined;
}

/** Runs, the newest first, in pages; their tasks and results cut to the beginning. */
export async function* iterateNewestRuns(
  read: StoreReads,
  { requesterSessionKey, state }: RunQuery = {},
): AsyncGenerator<RunRecord> {
  const states = listStates(state);
  for (let before: string | undefined; ; ) {
    const page = await read.runs({
      newest: true,
      limit: PAGE_ROWS,
      ...(requesterSessionKey === undefined ? {} : { requesterSessionKey }),
      ...(states === undefined ? {} : { states }),
      ...(before === undefined ? {} : { afterRunId: before }),
    });
    for (const row of page.toReversed()) {
      const run = parseRunOutline(row);
      if (state === undefined || state === "unfinished" || run.status === state) yield run;
    }
    before = page[0]?.runId;
    if (page.length < PAGE_ROWS) return;
  }
}

/** What the store can tell apart by itself. */
function listStates(state: string | undefined): readonly RunState[] | undefined {
  if (state === undefined) return undefined;
  if (state === "unfinished") return UNFINISHED_STATES;
  return [UNFINISHED_STATES.find((each) => each === state) ?? "ended"];
}

export interface NewestRuns {
  readonly runs: readonly RunRecord[];
  /** There are more than were asked for. */
  readonly isCut: boolean;
}

export async function listNewestRuns(
  read: StoreReads,
  { limit, ...query }: RunQuery & { readonly limit: number },
): Promise<NewestRuns> {
  const runs: RunRecord[] = [];
  for await (const run of iterateNewestRuns(read, query)) {
    if (runs.length === limit) return { runs, isCut: true };
    runs.push(run);
  }
  return { runs, isCut: false };
}
