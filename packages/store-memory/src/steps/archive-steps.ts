import type { ArchiveRunStep, ArchiveSessionStep, RunRow, StepResults } from "@banyan/plugin-sdk/store";
import { writeAudit } from "../tables/audit-table.ts";
import { changeRun, countRuns, findRun } from "../tables/run-table.ts";
import { archiveSession, standsOpen } from "../tables/session-table.ts";
import type { DeliveryRecord, Tables } from "../tables/tables.ts";
import { removeFired, standsArmed, writeTimers } from "../tables/timer-table.ts";

export function applyArchiveRun(tables: Tables, step: ArchiveRunStep, nowMs: number): StepResults["archive_run"] {
  if (!standsArmed(tables, step.timer)) return { status: "already" };
  const run = findRun(tables, step.runId);
  if (!run) return { status: "refused", reason: "not_found" };
  if (run.archivedAtMs !== undefined) {
    removeFired(tables, step.timer);
    return { status: "already" };
  }
  if (run.state !== "ended") return { status: "refused", reason: "wrong_state" };
  const { childSessionKey } = run;
  if (isAtWork(tables, childSessionKey) || isHeard(tables, run)) return { status: "refused", reason: "busy" };
  removeFired(tables, step.timer);
  changeRun(tables, run.runId, { archivedAtMs: nowMs });
  if (standsOpen(tables, childSessionKey)) archiveSession(tables, childSessionKey, nowMs);
  writeTimers(tables, step.timers, [], nowMs);
  return { status: "done" };
}

export function applyArchiveSession(
  tables: Tables,
  { key, audit }: ArchiveSessionStep,
  nowMs: number,
): StepResults["archive_session"] {
  if (!tables.sessions.has(key)) return { status: "refused", reason: "not_found" };
  if (tables.archivedKeys.has(key)) return { status: "already" };
  if (isAtWork(tables, key)) return { status: "refused", reason: "busy" };
  archiveSession(tables, key, nowMs);
  writeAudit(tables, audit, nowMs);
  return { status: "done" };
}

/** A run or an item of the session, or a child of it, is not through. */
function isAtWork(tables: Tables, key: string): boolean {
  const unfinished = countRuns(tables, "unfinishedChild", key) + countRuns(tables, "unfinishedRequester", key);
  const lane = tables.lanes.get(key);
  return unfinished > 0 || (lane !== undefined && lane.queue.length + lane.active.length + lane.held.length > 0);
}

/** What the run has to say is still on its way. */
function isHeard(tables: Tables, { runId, toldWithRunId, childSessionKey }: RunRow): boolean {
  const seq = tables.seqByDedupe.get(`completion|${runId}`);
  const completion = seq === undefined ? undefined : tables.items.get(seq)?.row;
  if (completion && completion.state !== "done" && completion.state !== "quarantined") return true;
  const told = [runId, toldWithRunId ?? runId];
  return listUnsettled(tables).some(({ row }) => told.includes(row.runId ?? "") || row.sessionKey === childSessionKey);
}

function listUnsettled({ unsettledDeliveries, deliveries }: Tables): readonly DeliveryRecord[] {
  const ids = [...unsettledDeliveries.values()].flatMap((rows) => [...rows]);
  return ids.flatMap((id) => deliveries.get(id) ?? []);
}
