import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { RunEnd, RunIdentity, RunRow, RunSpeech, RunState } from "@banyan/store";
import { RUN_END_REASON, RUN_SPEAKER, RUN_STATE, RUN_STATES } from "../database/code.ts";
import { readName, readOptionalText, readText } from "../database/column.ts";
import { RUN_COLUMNS, readRunRow } from "../reads/run-row.ts";

const { reserved, accepted, running, waiting, ended } = RUN_STATE;
const UNDONE = RUN_END_REASON["spawn-failed"];

/** What a step needs to know of a run before it writes. */
export interface RunStanding {
  readonly state: RunState;
  readonly isUndone: boolean;
  readonly childSessionKey: string;
  readonly requesterSessionKey: string;
  readonly parentRunId: string | undefined;
  readonly isSettled: boolean;
  readonly isArchived: boolean;
  readonly toldWithRunId: string | undefined;
}

/** Executions of sub-agents. */
export class RunTable {
  readonly #row: StatementSync;
  readonly #idByDedupe: StatementSync;
  readonly #standing: StatementSync;
  readonly #insert: StatementSync;
  readonly #accept: StatementSync;
  readonly #start: StatementSync;
  readonly #wait: StatementSync;
  readonly #undo: StatementSync;
  readonly #end: StatementSync;
  readonly #settle: StatementSync;
  readonly #archive: StatementSync;

  constructor(database: DatabaseSync) {
    this.#row = database.prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = ?`);
    this.#idByDedupe = database.prepare(`SELECT run_id FROM runs WHERE dedupe = ? AND ended_reason IS NOT ${UNDONE}`);
    this.#standing = database.prepare(
      `SELECT state, ended_reason, child_key, requester_key, parent_run_id, settled_by, archived_at, told_with FROM runs WHERE run_id = ?`,
    );
    this.#insert = database.prepare(
      `INSERT INTO runs (run_id, dedupe, child_key, requester_key, root_key, parent_run_id, spawn_seq, is_awaited, route,
         body, state, created_at, changed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${reserved}, ?, ?)`,
    );
    this.#accept = database.prepare(`UPDATE runs SET state = ${accepted}, changed_at = ?, body = ? WHERE run_id = ?`);
    this.#start = database.prepare(
      `UPDATE runs SET state = ${running}, changed_at = :now, started_at = coalesce(started_at, :now)
       WHERE run_id = :run AND state IN (${accepted}, ${waiting})`,
    );
    this.#wait = database.prepare(
      `UPDATE runs SET state = ${waiting}, changed_at = ? WHERE run_id = ? AND state = ${running}`,
    );
    this.#undo = database.prepare(
      `UPDATE runs SET state = ${ended}, changed_at = :now, ended_at = :now, ended_reason = ${UNDONE},
         settled_by = ${RUN_SPEAKER.nobody} WHERE run_id = :run`,
    );
    this.#end = database.prepare(
      `UPDATE runs SET state = ${ended}, changed_at = :now, ended_at = :now, ended_reason = :reason, result = :result,
         target = :target, told_key = :told, settled_by = :speaker WHERE run_id = :run`,
    );
    this.#settle = database.prepare("UPDATE runs SET settled_by = ?, told_with = ? WHERE run_id = ?");
    this.#archive = database.prepare("UPDATE runs SET archived_at = ? WHERE run_id = ?");
  }

  find(runId: string): RunRow | undefined {
    return this.#row.all(runId).map(readRunRow)[0];
  }

  /** In a step that found it. */
  get(runId: string): RunRow {
    return getFound(runId, this.find(runId));
  }

  /** In a step that found it. */
  getStanding(runId: string): RunStanding {
    return getFound(runId, this.findStanding(runId));
  }

  /** One that was not undone. */
  findByDedupe(dedupe: string): RunRow | undefined {
    const row = this.#idByDedupe.get(dedupe);
    return row === undefined ? undefined : this.find(readText(row.run_id));
  }

  findStanding(runId: string): RunStanding | undefined {
    const row = this.#standing.get(runId);
    if (row === undefined) return undefined;
    return {
      state: readName(RUN_STATES, row.state),
      isUndone: row.ended_reason === UNDONE,
      childSessionKey: readText(row.child_key),
      requesterSessionKey: readText(row.requester_key),
      parentRunId: readOptionalText(row.parent_run_id ?? null),
      isSettled: row.settled_by !== null,
      isArchived: row.archived_at !== null,
      toldWithRunId: readOptionalText(row.told_with ?? null),
    };
  }

  reserve(run: RunIdentity, nowMs: number): void {
    const parent = run.parentRunId ?? null;
    const keys = [run.childSessionKey, run.requesterSessionKey, run.rootSessionKey];
    const isAwaited = run.isAwaited ? 1 : 0;
    const more = [parent, run.spawnSeq ?? null, isAwaited, run.route, run.body, nowMs, nowMs];
    this.#insert.run(run.runId, run.dedupe, ...keys, ...more);
  }

  accept(runId: string, body: string, nowMs: number): void {
    this.#accept.run(nowMs, body, runId);
  }

  /** A turn works for it. One that runs already, or has ended, is left alone. */
  start(runId: string, nowMs: number): void {
    this.#start.run({ run: runId, now: nowMs });
  }

  /** Its turn is over; one that waits already is left alone. */
  wait(runId: string, nowMs: number): void {
    this.#wait.run(nowMs, runId);
  }

  undo(runId: string, nowMs: number): void {
    this.#undo.run({ run: runId, now: nowMs });
  }

  end({ runId, endedReason, result, target, completion, settledBy }: RunEnd, nowMs: number): void {
    this.#end.run({
      run: runId,
      now: nowMs,
      reason: RUN_END_REASON[endedReason],
      result,
      target: target ?? null,
      told: completion?.lane ?? null,
      speaker: settledBy === undefined ? null : RUN_SPEAKER[settledBy],
    });
  }

  settle({ runId, by, toldWithRunId }: RunSpeech): void {
    this.#settle.run(RUN_SPEAKER[by], toldWithRunId ?? null, runId);
  }

  archive(runId: string, nowMs: number): void {
    this.#archive.run(nowMs, runId);
  }
}

function getFound<T>(runId: string, found: T | undefined): T {
  if (found === undefined) throw new TypeError(`reading the run ${runId}: it was found before and is not there`);
  return found;
}
