import type { SessionRow, StoreReads } from "@banyan/store";
import { readRunTree } from "../../runs/read-run-tree.ts";
import { listTreeRuns } from "../../runs/run-tree.ts";
import type { PlacedSession } from "./decide-visibility.ts";
import { judgeSession, readPlaced, type VisibilityParts, type VisibleSession } from "./read-visible-session.ts";

/** Sessions of an agent, or of all, that one listing looks at; by key, so what is beyond is always the same. */
const MOST_SESSIONS = 5_000;
const PAGE_ROWS = 500;
const MOST_RUNS = 1_000;

export interface VisibleSessions {
  readonly sessions: readonly VisibleSession[];
  /** Some were not looked at: there are more than one listing takes. */
  readonly isCut: boolean;
}

/** Every session that the caller may reach and that was not put away, itself among them. */
export async function listVisibleSessions(
  callerKey: string,
  { store, sessionTools }: VisibilityParts,
): Promise<VisibleSessions> {
  const read = rememberSessions(store.read);
  const caller = await readPlaced(callerKey, read);
  if (caller === undefined) return { sessions: [], isCut: false };
  const { visibility } = sessionTools;
  const tree = await readTreeRows(caller, visibility === "self", store.read, read);
  const isWide = visibility === "agent" || visibility === "all";
  const wide = isWide ? await readRows(visibility === "agent" ? caller.agentId : undefined, store.read) : [];
  const rows = new Map([...tree, ...wide].map((row) => [row.key, row]));
  const judged = await Promise.all([...rows.values()].map((row) => judgeSession(row, caller, sessionTools, read)));
  return {
    sessions: judged.filter((session) => session !== undefined).filter(({ isArchived }) => !isArchived),
    isCut: wide.length >= MOST_SESSIONS,
  };
}

async function readTreeRows(
  caller: PlacedSession,
  isAlone: boolean,
  reads: Pick<StoreReads, "runs">,
  read: Pick<StoreReads, "session">,
): Promise<readonly SessionRow[]> {
  const { rootSessionKey, key } = caller;
  const tree = isAlone ? undefined : await readRunTree(reads, { sessionKey: rootSessionKey, mostRuns: MOST_RUNS });
  const children = tree === undefined ? [] : listTreeRuns(tree.nodes).map(({ childSessionKey }) => childSessionKey);
  const keys = new Set([key, ...(isAlone ? [] : [rootSessionKey]), ...children]);
  const rows = await Promise.all([...keys].map((each) => read.session(each)));
  return rows.filter((row) => row !== undefined);
}

async function readRows(
  agentId: string | undefined,
  read: Pick<StoreReads, "sessions">,
): Promise<readonly SessionRow[]> {
  const rows: SessionRow[] = [];
  while (rows.length < MOST_SESSIONS) {
    const afterKey = rows.at(-1)?.key;
    const page = await read.sessions({
      limit: PAGE_ROWS,
      ...(agentId === undefined ? {} : { agentId }),
      ...(afterKey === undefined ? {} : { afterKey }),
    });
    rows.push(...page);
    if (page.length < PAGE_ROWS) break;
  }
  return rows;
}

/** Lineages of one tree share their way up. */
function rememberSessions(read: Pick<StoreReads, "session">): Pick<StoreReads, "session"> {
  const known = new Map<string, Promise<SessionRow | undefined>>();
  return {
    session(key) {
      const found = known.get(key) ?? read.session(key);
      known.set(key, found);
      return found;
    },
  };
}
