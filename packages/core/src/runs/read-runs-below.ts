import type { RunRow, StoreReads } from "@banyan/plugin-sdk/store";
import { UNFINISHED_STATES } from "./run-record.ts";

/** Above the most that one session may have; a page that is full is read on. */
const PAGE_RUNS = 500;
/** Unfinished runs of one tree; the limits of spawning allow far fewer. */
const MOST_RUNS = 10_000;

/** No tree is deeper; a chain that is longer goes in a circle. */
const MOST_ANCESTORS = 64;

/** Unfinished runs that a session has asked for, directly. */
export function readUnfinishedChildren(sessionKey: string, read: StoreReads): Promise<readonly RunRow[]> {
  return readUnfinished({ requesterSessionKey: sessionKey }, read);
}

/**
 * All unfinished runs below a session, children before their parents; also those below a run that has ended itself,
 * since not every run waits for what it has asked for.
 */
export async function readUnfinishedBelow(sessionKey: string, read: StoreReads): Promise<readonly RunRow[]> {
  const rootSessionKey = (await readOrigin(sessionKey, read))?.rootSessionKey ?? sessionKey;
  const inTree = await readUnfinished({ rootSessionKey }, read);
  const origins = new Map<string, RunRow | undefined>();
  const below: { readonly run: RunRow; readonly depth: number }[] = [];
  for (const run of inTree) {
    let depth = 1;
    for (let key = run.requesterSessionKey; depth <= MOST_ANCESTORS; depth += 1) {
      if (key === sessionKey) {
        below.push({ run, depth });
        break;
      }
      if (!origins.has(key)) origins.set(key, await readOrigin(key, read));
      const above = origins.get(key);
      if (above === undefined) break;
      key = above.requesterSessionKey;
    }
  }
  return below.toSorted((one, other) => other.depth - one.depth).map(({ run }) => run);
}

/**
 * All unfinished runs that a run has asked for, and those below them, children before their parents. With `isWhole` also
 * what its session has asked for beside its run, such as by a person who wrote in its thread.
 */
export async function readUnfinishedBelowRun(
  run: RunRow,
  isWhole: boolean,
  read: StoreReads,
): Promise<readonly RunRow[]> {
  const inTree = await readUnfinished({ rootSessionKey: run.rootSessionKey }, read);
  const known = new Map(inTree.map((one) => [one.runId, one]));
  const findParent = async (one: RunRow): Promise<RunRow | undefined> => {
    if (one.parentRunId !== undefined) return known.get(one.parentRunId) ?? (await read.run(one.parentRunId));
    if (one.requesterSessionKey === run.childSessionKey) return isWhole ? run : undefined;
    return one.requesterSessionKey === one.rootSessionKey ? undefined : readOrigin(one.requesterSessionKey, read);
  };
  const below: { readonly run: RunRow; readonly depth: number }[] = [];
  for (const one of inTree) {
    if (one.runId === run.runId) continue;
    let above: RunRow | undefined = one;
    for (let depth = 1; depth <= MOST_ANCESTORS && above !== undefined; depth += 1) {
      above = await findParent(above);
      if (above?.runId !== run.runId) continue;
      below.push({ run: one, depth });
      break;
    }
  }
  return below.toSorted((one, other) => other.depth - one.depth).map(({ run: found }) => found);
}

/** Whether a session works for no other unfinished run. */
export async function isOnlyRun({ runId, childSessionKey }: RunRow, read: StoreReads): Promise<boolean> {
  const runs = await read.runs({ childSessionKey, states: UNFINISHED_STATES, limit: 2 });
  return runs.every((one) => one.runId === runId);
}

/** The run that a child's session was opened for: its first one. */
async function readOrigin(sessionKey: string, read: StoreReads): Promise<RunRow | undefined> {
  const [first] = await read.runs({ childSessionKey: sessionKey, limit: 1 });
  return first;
}

async function readUnfinished(
  query: { readonly requesterSessionKey: string } | { readonly rootSessionKey: string },
  read: StoreReads,
): Promise<readonly RunRow[]> {
  const found: RunRow[] = [];
  for (let afterRunId: string | undefined; ; ) {
    const after = afterRunId === undefined ? {} : { afterRunId };
    const page = await read.runs({ ...query, states: UNFINISHED_STATES, limit: PAGE_RUNS, ...after });
    found.push(...page);
    afterRunId = page.at(-1)?.runId;
    if (page.length < PAGE_RUNS) return found;
    if (found.length > MOST_RUNS) {
      throw new Error(`Unfinished runs were read: there are more than ${MOST_RUNS}; end some of them first`);
    }
  }
}
