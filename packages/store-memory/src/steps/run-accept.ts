import type { AcceptRun, Refused, RunRow } from "@banyan/plugin-sdk/store";
import { writeBinding } from "../tables/binding-table.ts";
import { appendEntries } from "../tables/entry-table.ts";
import { insertItem } from "../tables/item-table.ts";
import { changeRun, findRun, hasEnded, isUndone } from "../tables/run-table.ts";
import { standsOpen, writeSession } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";
import { writeTimers } from "../tables/timer-table.ts";

/** Looked at before the first write of the step that carries it; the row where it was accepted before. */
export function findAcceptRefusal(tables: Tables, accept: AcceptRun): Refused | RunRow | undefined {
  const run = findRun(tables, accept.runId);
  if (!run) return { status: "refused", reason: "not_found" };
  if (isUndone(run)) return { status: "refused", reason: "wrong_state" };
  if (run.state !== "reserved") return run;
  const { childSessionKey, requesterSessionKey, parentRunId } = run;
  if (parentRunId !== undefined && hasEnded(tables, parentRunId)) return { status: "refused", reason: "ended" };
  const isChildMissing = !accept.session && !standsOpen(tables, childSessionKey);
  if (isChildMissing || !standsOpen(tables, requesterSessionKey)) return { status: "refused", reason: "no_session" };
  const isTaken = accept.session !== undefined && tables.sessions.has(childSessionKey);
  const hasMoved = (accept.requesterSessionKey ?? requesterSessionKey) !== requesterSessionKey;
  return isTaken || hasMoved || accept.item.lane !== childSessionKey
    ? { status: "refused", reason: "conflict" }
    : undefined;
}

export function applyAccept(tables: Tables, accept: AcceptRun, nowMs: number): RunRow {
  const { runId, session, entries = [], item, timers, binding, body } = accept;
  if (session) writeSession(tables, session, nowMs);
  const sessionId = tables.sessions.get(item.lane)?.sessionId;
  if (sessionId !== undefined) appendEntries(tables, { sessionKey: item.lane, sessionId }, entries);
  if (!tables.seqByDedupe.has(item.dedupe)) insertItem(tables, item, "waiting", nowMs);
  writeTimers(tables, timers, [], nowMs);
  if (binding) writeBinding(tables, binding, nowMs);
  return changeRun(tables, runId, { state: "accepted", changedAtMs: nowMs, body });
}
