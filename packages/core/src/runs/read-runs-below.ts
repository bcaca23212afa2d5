import type { RunRow, StoreReads } from "@banyan/store";
import { MOST_ANCESTORS } from "../sessions/tree/walk-up.ts";
import { UNFINISHED_STATES } from "./run-record.ts";

/** Above the most that one session may have; a page that is full is read on. */
const PAGE_RUNS = 500;
/** Unfinished runs of one tree; the limits of spawning allow far fewer. */
const MOST_RUNS = 10_000;

type Reads = Pick<StoreReads, "runs">;

/** Whose unfinished runs; with neither those of all. */
export interface UnfinishedQuery {
  readonly requesterSessionKey?: string;
  readonly rootSessionKey?: string;
}

/** The run above one; `here` where it hangs right below what is asked about, `undefined` where it hangs elsewhere. */
type StepUp = (run: RunRow) => Promise<RunRow | "here" | undefined>;

/** Unfinished runs that a session has asked for, directly. */
export function readUnfinishedChildren(sessionKey: string, read: Reads): Promise<readonly RunRow[]> {
  return readUnfinished({ requesterSessionKey: sessionKey }, read);
}

/**
 * All unfinished runs below a session, children before their parents; also those below a run that has ended itself,
 * since not every run waits for what it has asked for.
 */
export async function readUnfinishedBelow(sessionKey: string, read: Reads): Promise<readonly RunRow[]> {
  const readOrigin = createOriginReader(read);
  const rootSessionKey = (await readOrigin(sessionKey))?.rootSessionKey ?? sessionKey;
  return listBelow(await readUnfinished({ rootSessionKey }, read), async ({ requesterSessionKey }) =>
    requesterSessionKey === sessionKey ? "here" : readOrigin(requesterSessionKey),
  );
}

/**
 * All unfinished runs that a run has asked for, and those below them, children before their parents. With `isWhole` also
 * what its session has asked for beside its run, such as by a person who wrote in its thread.
 */
export async function readUnfinishedBelowRun(
  { runId, childSessionKey, rootSessionKey }: RunRow,
  isWhole: boolean,
  read: Pick<StoreReads, "run" | "runs">,
): Promise<readonly RunRow[]> {
  const inTree = await readUnfinished({ rootSessionKey }, read);
  const known = new Map(inTree.map((one) => [one.runId, one]));
  const readOrigin = createOriginReader(read);
  const others = inTree.filter((one) => one.runId !== runId);
  return listBelow(others, async (one) => {
    const { parentRunId, requesterSessionKey } = one;
    if (parentRunId === runId) return "here";
    if (parentRunId !== undefined) return known.get(parentRunId) ?? read.run(parentRunId);
    if (requesterSessionKey === childSessionKey) return isWhole ? "here" : undefined;
    return requesterSessionKey === one.rootSessionKey ? undefined : readOrigin(requesterSessionKey);
  });
}

/** Children before their parents. */
async function listBelow(runs: readonly RunRow[], stepUp: StepUp): Promise<readonly RunRow[]> {
  const below: { readonly run: RunRow; readonly depth: number }[] = [];
  for (const run of runs) {
    let above: RunRow | undefined = run;
    for (let depth = 1; depth <= MOST_ANCESTORS && above !== undefined; depth += 1) {
      const next: RunRow | "here" | undefined = await stepUp(above);
      if (next === "here") below.push({ run, depth });
      above = next === "here" ? undefined : next;
    }
  }
  return below.toSorted((one, other) => other.depth - one.depth).map(({ run }) => run);
}

/** Whether a session works for no other unfinished run. */
export async function isOnlyRun({ runId, childSessionKey }: RunRow, read: Reads): Promise<boolean> {
  const runs = await read.runs({ childSessionKey, states: UNFINISHED_STATES, limit: 2 });
  return runs.every((one) => one.runId === runId);
}

/** Gives the run that a child's session was opened for: its first one. Siblings share their way up. */
function createOriginReader(read: Reads): (sessionKey: string) => Promise<RunRow | undefined> {
  const origins = new Map<string, RunRow | undefined>();
  return async (sessionKey) => {
    if (!origins.has(sessionKey)) {
      const [first] = await read.runs({ childSessionKey: sessionKey, limit: 1 });
      origins.set(sessionKey, first);
    }
    return origins.get(sessionKey);
  };
}

/** By creation, ascending. Few rows are held at once. */
export async function* iterateUnfinished(query: UnfinishedQuery, read: Reads): AsyncGenerator<RunRow> {
  for (let afterRunId: string | undefined; ; ) {
    const after = afterRunId === undefined ? {} : { afterRunId };
    const page: readonly RunRow[] = await read.runs({
      ...query,
      states: UNFINISHED_STATES,
      limit: PAGE_RUNS,
      ...after,
    });
    yield* page;
    afterRunId = page.at(-1)?.runId;
    if (page.length < PAGE_RUNS) return;
  }
}

async function readUnfinished(query: UnfinishedQuery, read: Reads): Promise<readonly RunRow[]> {
  const found: RunRow[] = [];
  for await (const run of iterateUnfinished(query, read)) {
    found.push(run);
    if (found.length > MOST_RUNS) {
      throw new Error(`Unfinished runs were read: there are more than ${MOST_RUNS}; end some of them first`);
    }
  }
  return found;
}
