import type { DatabaseSync } from "node:sqlite";
import type { PruneStep, StepResults } from "@banyan/store";
import { DELIVERY_KIND, DELIVERY_STATE } from "../database/code.ts";
import { createRunPruner } from "./prune-runs.ts";
import { createSessionRemover, type FindProjectedPos } from "./session-removal.ts";
import type { Tables } from "./tables.ts";

export type PruneRunner = (step: PruneStep, nowMs: number) => StepResults["prune"];

/** Completions that reached nobody, and that nobody gave up. */
const LOST = `kind = ${DELIVERY_KIND.completion} AND is_dropped IS NULL
  AND state IN (${DELIVERY_STATE.unknown}, ${DELIVERY_STATE.undeliverable})`;

export function createPruneStep(
  database: DatabaseSync,
  tables: Tables,
  findProjectedPos: FindProjectedPos,
): PruneRunner {
  const pruneRuns = createRunPruner(database, createSessionRemover(database, findProjectedPos));
  const removeItems = database.prepare(
    `DELETE FROM items WHERE seq IN (
       SELECT seq FROM items WHERE received_at <= ? AND state BETWEEN 2 AND 4 ORDER BY received_at, seq LIMIT ?)`,
  );
  const removeDeliveries = database.prepare(
    `DELETE FROM deliveries WHERE pos IN (
       SELECT pos FROM deliveries WHERE created_at <= ? AND state >= 3 AND NOT (${LOST}) ORDER BY created_at, pos LIMIT ?)
     RETURNING pos, quiet_key`,
  );
  const removeQuiet = database.prepare("DELETE FROM quiets WHERE key = ? AND pos = ?");
  const removeWrites = database.prepare("DELETE FROM session_writes WHERE written_at <= ?");
  const removeExpired = [
    "DELETE FROM pairings WHERE state = 0 AND expires_at <= ?",
    "DELETE FROM link_codes WHERE expires_at <= ?",
    "DELETE FROM link_failures WHERE expires_at <= ?",
  ].map((sql) => database.prepare(sql));
  return (step, nowMs) => {
    const latestMs = nowMs - step.olderThanMs;
    tables.sequence.save();
    const items = Number(removeItems.run(latestMs, step.limit).changes);
    const deliveries = removeDeliveries.all(latestMs, step.limit);
    for (const row of deliveries) {
      if (row.quiet_key !== null && row.quiet_key !== undefined) removeQuiet.run(row.quiet_key, row.pos ?? null);
    }
    removeWrites.run(latestMs);
    for (const statement of removeExpired) statement.run(latestMs);
    tables.days.prune(latestMs);
    const { runsOlderThanMs, auditOlderThanMs, limit } = step;
    const runs = runsOlderThanMs === undefined ? 0 : pruneRuns(nowMs - runsOlderThanMs, limit);
    const lines = auditOlderThanMs === undefined ? 0 : tables.audit.prune(nowMs - auditOlderThanMs, limit);
    return { status: "done", removed: items + deliveries.length + runs + lines };
  };
}
