import type { RunRow, RunState, StoreReads } from "@banyan/plugin-sdk/store";

export const UNFINISHED: readonly RunState[] = ["reserved", "accepted", "running", "waiting"];
/** Above the most that one session may have; a page that is full is read on. */
const PAGE_RUNS = 500;
/** Unfinished runs below one session; the limits of spawning allow far fewer. */
const MOST_BELOW = 10_000;

/** Unfinished runs that a session has asked for, directly. */
export async function readUnfinishedChildren(sessionKey: string, read: StoreReads): Promise<readonly RunRow[]> {
  const found: RunRow[] = [];
  for (let afterRunId: string | undefined; ; ) {
    const after = afterRunId === undefined ? {} : { afterRunId };
    const page = await read.runs({ requesterSessionKey: sessionKey, states: UNFINISHED, limit: PAGE_RUNS, ...after });
    found.push(...page);
    afterRunId = page.at(-1)?.runId;
    if (page.length < PAGE_RUNS) return found;
  }
}

/** All unfinished runs below a session, children before their parents. */
export async function readUnfinishedBelow(sessionKey: string, read: StoreReads): Promise<readonly RunRow[]> {
  const seen = new Set<string>([sessionKey]);
  const collect = async (key: string): Promise<readonly RunRow[]> => {
    const below: RunRow[] = [];
    for (const run of await readUnfinishedChildren(key, read)) {
      if (!seen.has(run.childSessionKey)) {
        seen.add(run.childSessionKey);
        below.push(...(await collect(run.childSessionKey)));
      }
      below.push(run);
      if (below.length > MOST_BELOW) {
        throw new Error(`The runs below ${key} were read: there are more than ${MOST_BELOW}; end some of them first`);
      }
    }
    return below;
  };
  return collect(sessionKey);
}
