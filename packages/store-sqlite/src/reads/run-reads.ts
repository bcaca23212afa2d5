import type { DatabaseSync, StatementSync } from "node:sqlite";
import { RUN_END_REASON, RUN_STATE } from "../database/code.ts";
import { readNumber } from "../database/column.ts";
import type { SqliteReads } from "./read-request.ts";
import { buildRunQuery, decideRunQuery, type RunQueryShape } from "./run-query.ts";
import { BINDING_COLUMNS, RUN_COLUMNS, readBindingRow, readRunRow, readTimerRow, TIMER_COLUMNS } from "./run-row.ts";

type RunReads = Pick<SqliteReads, "run" | "runByDedupe" | "runs" | "unfinishedRuns" | "timers" | "bindings">;

export function createRunReads(database: DatabaseSync): RunReads {
  const byId = database.prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = ?`);
  const byDedupe = database.prepare(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE dedupe = ? AND ended_reason IS NOT ${RUN_END_REASON["spawn-failed"]}`,
  );
  const unfinished = (column: string) =>
    database.prepare(`SELECT count(*) AS runs FROM runs WHERE state < ${RUN_STATE.ended} AND ${column} = ?`);
  const [ofRequester, ofTree] = [unfinished("requester_key"), unfinished("root_key")];
  const timers = database.prepare(`SELECT ${TIMER_COLUMNS} FROM timers WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`);
  const bindings = database.prepare(`SELECT ${BINDING_COLUMNS} FROM bindings WHERE session_key = ? ORDER BY pos`);
  return {
    run: (runId) => byId.all(runId).map(readRunRow)[0],
    runByDedupe: (dedupe) => byDedupe.all(dedupe).map(readRunRow)[0],
    runs: createRunsRead(database),
    unfinishedRuns: ({ requesterSessionKey, rootSessionKey }) => ({
      ofRequester: readNumber(ofRequester.get(requesterSessionKey)?.runs),
      ofTree: readNumber(ofTree.get(rootSessionKey)?.runs),
    }),
    timers: ({ dueBeforeMs = Number.MAX_SAFE_INTEGER, limit }) => timers.all(dueBeforeMs, limit).map(readTimerRow),
    bindings: ({ sessionKey }) => bindings.all(sessionKey).map(readBindingRow),
  };
}

/** A statement for each way to ask, made when it is first asked so. */
function createRunsRead(database: DatabaseSync): RunReads["runs"] {
  const place = database.prepare("SELECT pos FROM runs WHERE run_id = ?");
  const statements = new Map<string, StatementSync>();

  function getStatement(shape: RunQueryShape): StatementSync {
    const sql = buildRunQuery(shape);
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  return (query) => {
    const { shape, values, mask } = decideRunQuery(query);
    const edge = shape.isNewest ? Number.MAX_SAFE_INTEGER : 0;
    const pos = query.afterRunId === undefined ? edge : place.get(query.afterRunId)?.pos;
    if (pos === undefined) return [];
    const rows = getStatement(shape)
      .all(...values, mask, readNumber(pos), query.limit)
      .map(readRunRow);
    return shape.isNewest ? rows.reverse() : rows;
  };
}
