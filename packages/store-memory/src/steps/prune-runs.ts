import type { RunRow } from "@banyan/plugin-sdk/store";
import { countRuns, findRunIds, removeRun } from "../tables/run-table.ts";
import { removeSession } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";

/** What ended by then, the oldest first; how many runs and sessions went. */
export function pruneRuns(tables: Tables, latestMs: number, limit: number): number {
  const runs = findOldRuns(tables, latestMs).slice(0, limit);
  for (const run of runs) removeRun(tables, run);
  const children = new Set(runs.map(({ childSessionKey }) => childSessionKey));
  const orphans = [...children].filter((key) => tables.archivedKeys.has(key) && isNobodysChild(tables, key));
  for (const key of orphans) removeSession(tables, key);
  const sessions = findOldSessions(tables, latestMs).slice(0, limit);
  for (const key of sessions) removeSession(tables, key);
  return runs.length + orphans.length + sessions.length;
}

function findOldRuns(tables: Tables, latestMs: number): readonly RunRow[] {
  const due = new Set([...tables.runs.timers.values()].map(({ subject }) => subject));
  const told = new Set([...tables.deliveries.values()].map(({ row }) => row.runId));
  // Those that ended at the same time stay in the order of creation.
  return [...tables.runs.records.values()]
    .map(({ row }) => row)
    .sort((a, b) => (a.endedAtMs ?? 0) - (b.endedAtMs ?? 0))
    .filter(({ endedAtMs }) => endedAtMs !== undefined && endedAtMs <= latestMs)
    .filter(({ settledBy }) => settledBy !== undefined)
    .filter(({ runId, archivedAtMs }) => archivedAtMs !== undefined || !due.has(runId))
    .filter(({ runId, toldWithRunId = runId }) => !told.has(runId) && !told.has(toldWithRunId))
    .filter(({ runId }) => countRuns(tables, "unfinishedParent", runId) === 0);
}

function findOldSessions(tables: Tables, latestMs: number): readonly string[] {
  const rows = [...tables.archivedKeys].flatMap((key) => tables.sessions.get(key) ?? []);
  return rows
    .filter(({ archivedAtMs }) => archivedAtMs !== undefined && archivedAtMs <= latestMs)
    .filter(({ key }) => isNobodysChild(tables, key))
    .sort((a, b) => (a.archivedAtMs ?? 0) - (b.archivedAtMs ?? 0) || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key);
}

function isNobodysChild(tables: Tables, key: string): boolean {
  return findRunIds(tables, "child", key).size === 0;
}
