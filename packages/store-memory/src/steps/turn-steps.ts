import {
  type ClaimStep,
  type CommitTurnStep,
  decideShared,
  type ReleaseStep,
  type SessionWrite,
  type StepResults,
  type SuspicionStep,
  type ToolResultStep,
} from "@banyan/plugin-sdk/store";
import { writeAudit } from "../tables/audit-table.ts";
import { writeDeliveries } from "../tables/delivery-table.ts";
import { appendEntries, hasLast } from "../tables/entry-table.ts";
import { endItem, getItem, noteProgress, setCounts } from "../tables/item-table.ts";
import { requeueActive } from "../tables/lane-move.ts";
import { countWaiting, decideClaim, freeLane, holdsFence } from "../tables/lane-table.ts";
import { conflicts, standsOpen, writeSession } from "../tables/session-table.ts";
import type { LaneRecord, Tables } from "../tables/tables.ts";
import { writeTimers } from "../tables/timer-table.ts";
import { buildClaim, claimLane } from "./claim.ts";
import { applyTurnFate, decideTurnFate } from "./turn-run.ts";

export function applyClaim(tables: Tables, step: ClaimStep, nowMs: number): StepResults["claim"] {
  const { owner, claimId, knownRevision, itemSeq, isBesideSuspects } = step;
  const lane = tables.lanes.get(step.lane);
  if (lane?.claim?.id === claimId && tables.items.has(lane.claim.seq)) {
    return { status: "done", claim: buildClaim(tables, lane, lane.claim.seq, knownRevision) };
  }
  const decision = decideClaim(tables, lane);
  if (!lane || decision === "empty") return { status: "refused", reason: "empty" };
  if (decision === "busy") return { status: "refused", reason: "busy" };
  if (!standsOpen(tables, step.lane)) return { status: "refused", reason: "no_session" };
  const claim = claimLane(tables, lane, { owner, claimId, knownRevision, itemSeq, isBesideSuspects }, nowMs);
  return claim === undefined ? { status: "refused", reason: "suspect" } : { status: "done", claim };
}

export function applyToolResult(tables: Tables, step: ToolResultStep, nowMs: number): StepResults["tool_result"] {
  const lane = tables.lanes.get(step.lane);
  if (!holdsFence(lane, step.epoch)) return { status: "fenced" };
  if (hasLast(tables, step.entries)) return { status: "already" };
  const { lane: sessionKey, sessionId, itemSeq } = step;
  appendEntries(tables, { sessionKey, sessionId, itemSeq }, step.entries);
  writeDeliveries(tables, step.deliveries ?? [], nowMs);
  writeTimers(tables, step.arm ?? [], [], nowMs);
  for (const line of step.audit ?? []) writeAudit(tables, line, nowMs);
  if (step.isNote !== true) for (const seq of lane.active) noteProgress(tables, seq);
  return { status: "done" };
}

export function applySuspicion(tables: Tables, step: SuspicionStep): StepResults["suspicion"] {
  const lane = tables.lanes.get(step.lane);
  if (!holdsFence(lane, step.epoch)) return { status: "fenced" };
  for (const active of lane.active) {
    for (const seq of step.shared ?? []) {
      if (!lane.queue.includes(seq) || tables.waitingCommands.has(seq)) continue;
      const { row } = getItem(tables, seq);
      setCounts(tables, seq, { attempt: row.attempt, deaths: decideShared(row, getItem(tables, active).row) });
    }
    if (step.isCleared) noteProgress(tables, active);
  }
  return { status: "done" };
}

export function applyCommitTurn(tables: Tables, step: CommitTurnStep, nowMs: number): StepResults["commit_turn"] {
  const lane = tables.lanes.get(step.lane);
  const itemSeq = step.items[0];
  const first = itemSeq === undefined ? undefined : tables.items.get(itemSeq);
  if (first?.row.lane === step.lane && first.commit?.epoch === step.epoch) {
    const { revision, run } = first.commit;
    return { status: "already", waiting: countWaiting(lane), revision, ...(run ? { run } : {}) };
  }
  if (!holdsFence(lane, step.epoch)) return { status: "fenced" };
  if (itemSeq === undefined || !areOfTurn(lane, step.items, tables.waitingCommands))
    return { status: "refused", reason: "wrong_state" };
  if (conflicts(tables, step.session)) return { status: "refused", reason: "conflict" };
  const fate = decideTurnFate(tables, lane, step);
  if (typeof fate === "object") return fate;
  const run = fate ? { run: fate } : {};
  const revision = writeSession(tables, resolveSession(step, fate === "ended"), nowMs);
  for (const seq of step.items) endItem(tables, seq, step.itemState, { epoch: step.epoch, revision, ...run });
  appendEntries(tables, { sessionKey: step.lane, sessionId: step.session.sessionId, itemSeq }, step.entries);
  writeDeliveries(tables, step.deliveries, nowMs);
  freeLane(tables, lane);
  const wakes = applyTurnFate(tables, fate, step, nowMs);
  const waiting = countWaiting(lane);
  return { status: "done", waiting, revision, ...run, ...(wakes.length > 0 ? { wakes } : {}) };
}

export function applyRelease(tables: Tables, step: ReleaseStep): StepResults["release"] {
  const lane = tables.lanes.get(step.lane);
  if (!lane || lane.epoch !== step.epoch || step.epoch === 0) return { status: "fenced" };
  if (lane.owner === undefined) return { status: "already" };
  requeueActive(tables, lane, step.giveBackAttempt);
  return { status: "done" };
}

/** The record behind the turn, or behind the end of the run that ends with it. */
function resolveSession({ session, run }: CommitTurnStep, isEnded: boolean): SessionWrite {
  const ended = isEnded ? run?.ends.find((end) => end.session?.key === session.key)?.session : undefined;
  return ended === undefined ? session : { ...ended, expectRevision: session.expectRevision };
}

/** The claimed item first, then waiting ones that are no commands; none of them twice. */
function areOfTurn(lane: LaneRecord, items: readonly number[], commands: ReadonlySet<number>): boolean {
  const listed = new Set(items);
  if (listed.size !== items.length || lane.active[0] !== items[0]) return false;
  return items.every((seq) => lane.active.includes(seq) || (lane.queue.includes(seq) && !commands.has(seq)));
}
