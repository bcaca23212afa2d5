import type { DatabaseSync } from "node:sqlite";
import { readText } from "../database/column.ts";
import type { SessionRemover } from "./session-removal.ts";

/** What ended that long ago, the oldest first; how many runs and sessions went. */
export type RunPruner = (latestMs: number, limit: number) => number;

export function createRunPruner(database: DatabaseSync, sessions: SessionRemover): RunPruner {
  const oldRuns = database.prepare(
    `SELECT run_id, child_key FROM runs
     WHERE state = 4 AND settled_by IS NOT NULL AND ended_at <= ?
       AND (archived_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM timers WHERE timers.subject = runs.run_id))
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.run_id = runs.run_id)
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.run_id = runs.told_with)
       AND NOT EXISTS (SELECT 1 FROM runs AS below WHERE below.state < 4 AND below.parent_run_id = runs.run_id)
     ORDER BY ended_at, pos LIMIT ?`,
  );
  const removeRun = database.prepare("DELETE FROM runs WHERE run_id = ?");
  const nobodysChild = "NOT EXISTS (SELECT 1 FROM runs WHERE runs.child_key = sessions.key)";
  const orphan = database.prepare(
    `SELECT 1 FROM sessions WHERE key = ? AND archived_at IS NOT NULL AND ${nobodysChild}`,
  );
  const leave = database.prepare("UPDATE sessions SET is_left = 1 WHERE key = ?");
  const oldSessions = database.prepare(
    `SELECT key FROM sessions WHERE is_left = 1 AND archived_at <= ? AND ${nobodysChild}
     ORDER BY archived_at, key LIMIT ?`,
  );

  /** One that cannot go with the last of its runs goes later, by itself. */
  function removeOrphan(key: string): boolean {
    if (orphan.get(key) === undefined) return false;
    const isRemoved = sessions.remove(key);
    if (!isRemoved) leave.run(key);
    return isRemoved;
  }

  return (latestMs, limit) => {
    sessions.begin();
    const runs = oldRuns.all(latestMs, limit);
    for (const row of runs) removeRun.run(readText(row.run_id));
    const children = [...new Set(runs.map((row) => readText(row.child_key)))];
    const orphans = children.filter(removeOrphan);
    const old = oldSessions.all(latestMs, limit).filter((row) => sessions.remove(readText(row.key)));
    return runs.length + orphans.length + old.length;
  };
}
