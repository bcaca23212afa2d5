import type { BindingRow, RunRow, TimerRow } from "@banyan/store";
import { BINDING_KINDS, RUN_END_REASONS, RUN_SPEAKERS, RUN_STATES } from "../database/code.ts";
import { type Row, readName, readNumber, readOptional, readText } from "../database/column.ts";

export const RUN_COLUMNS = `run_id, dedupe, child_key, requester_key, root_key, parent_run_id, spawn_seq, is_awaited, route,
  state, created_at, changed_at, started_at, ended_at, ended_reason, target, told_key, settled_by, archived_at, body, result, told_with`;

export function readRunRow(row: Row): RunRow {
  return {
    runId: readText(row.run_id),
    dedupe: readText(row.dedupe),
    childSessionKey: readText(row.child_key),
    requesterSessionKey: readText(row.requester_key),
    rootSessionKey: readText(row.root_key),
    ...readOptional("parentRunId", row.parent_run_id, readText),
    ...readOptional("spawnSeq", row.spawn_seq, readNumber),
    isAwaited: readNumber(row.is_awaited) === 1,
    route: readText(row.route),
    state: readName(RUN_STATES, row.state),
    createdAtMs: readNumber(row.created_at),
    changedAtMs: readNumber(row.changed_at),
    ...readOptional("startedAtMs", row.started_at, readNumber),
    ...readOptional("endedAtMs", row.ended_at, readNumber),
    ...readOptional("endedReason", row.ended_reason, (value) => readName(RUN_END_REASONS, value)),
    ...readOptional("result", row.result, readText),
    ...readOptional("target", row.target, readText),
    ...readOptional("toldSessionKey", row.told_key, readText),
    ...readOptional("settledBy", row.settled_by, (value) => readName(RUN_SPEAKERS, value)),
    ...readOptional("toldWithRunId", row.told_with, readText),
    ...readOptional("archivedAtMs", row.archived_at, readNumber),
    body: readText(row.body),
  };
}

export const TIMER_COLUMNS = "id, kind, subject, armed_at, due_at, item_seq";

export function readTimerRow(row: Row): TimerRow {
  return {
    id: readText(row.id),
    kind: readText(row.kind),
    subject: readText(row.subject),
    armedAtMs: readNumber(row.armed_at),
    dueAtMs: readNumber(row.due_at),
    ...readOptional("itemSeq", row.item_seq, readNumber),
  };
}

export const BINDING_COLUMNS = "id, address, session_key, kind, created_at, idle_ms, max_age_ms";

export function readBindingRow(row: Row): BindingRow {
  return {
    id: readText(row.id),
    address: readText(row.address),
    sessionKey: readText(row.session_key),
    kind: readName(BINDING_KINDS, row.kind),
    createdAtMs: readNumber(row.created_at),
    ...readOptional("idleMs", row.idle_ms, readNumber),
    ...readOptional("maxAgeMs", row.max_age_ms, readNumber),
  };
}
