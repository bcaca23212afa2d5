import type {
  ClaimStep,
  CommitTurnStep,
  ReleaseStep,
  SessionWrite,
  StepResults,
  SuspicionStep,
  ToolResultStep,
} from "@banyan/store";
import { ITEM_STATE } from "../database/code.ts";
import { findClaim, startRunOf } from "./claim.ts";
import type { TurnEnd } from "./item-table.ts";
import { holdsFence, type Lane } from "./lane-table.ts";
import { refuse } from "./refusal.ts";
import type { Tables } from "./tables.ts";
import { decideTurnRun, writeTurnRun } from "./turn-run.ts";

export function runClaim(tables: Tables, step: ClaimStep, nowMs: number): StepResults["claim"] {
  const { owner, claimId, knownRevision } = step;
  const lane = tables.lanes.find(step.lane);
  if (lane === undefined) return refuse("empty");
  if (lane.claimId === claimId && lane.claimSeq !== undefined) {
    const place = { lane: step.lane, epoch: lane.epoch, itemSeq: lane.claimSeq };
    const claim = findClaim(tables, place, knownRevision);
    if (claim !== undefined) return { status: "done", claim };
  }
  if (lane.owner !== undefined) return refuse("busy");
  if (lane.readySeq === undefined) {
    return refuse(tables.lanes.countWaiting(lane.id).commands > 0 ? "busy" : "empty");
  }
  if (!tables.sessions.isListed(step.lane)) return refuse("no_session");
  const isPreferred = step.itemSeq !== undefined && tables.items.isClaimable(lane.id, step.itemSeq);
  const itemSeq = (isPreferred ? step.itemSeq : undefined) ?? lane.readySeq;
  if (step.isBesideSuspects !== true && tables.items.isBesideSuspect(itemSeq)) return refuse("suspect");
  tables.items.activate(itemSeq);
  tables.lanes.take(lane.id, owner, claimId, itemSeq);
  const place = { lane: step.lane, epoch: lane.epoch + 1, itemSeq };
  const claim = findClaim(tables, place, knownRevision);
  if (claim === undefined) throw new TypeError(`claiming ${step.lane}: item ${itemSeq} is named but not there`);
  startRunOf(tables, claim.item, nowMs);
  return { status: "done", claim };
}

export function runToolResult(tables: Tables, step: ToolResultStep, nowMs: number): StepResults["tool_result"] {
  const lane = tables.lanes.find(step.lane);
  if (!holdsFence(lane, step.epoch)) return { status: "fenced" };
  // What opens a turn may stand already, under another item.
  const last = step.entries.at(-1);
  if (last !== undefined && tables.entries.has(last.id)) return { status: "already" };
  const place = { sessionId: step.sessionId, sessionKey: step.lane, itemSeq: step.itemSeq };
  tables.entries.append(place, step.entries);
  for (const delivery of step.deliveries ?? []) tables.deliveries.insert(delivery, nowMs);
  if (step.arm !== undefined) tables.timers.arm(step.arm, nowMs);
  for (const line of step.audit ?? []) tables.audit.write(line, nowMs);
  if (step.isNote !== true && lane.claimSeq !== undefined) tables.items.noteProgress(lane.claimSeq);
  return { status: "done" };
}

export function runSuspicion(tables: Tables, step: SuspicionStep): StepResults["suspicion"] {
  const lane = tables.lanes.find(step.lane);
  if (!holdsFence(lane, step.epoch)) return { status: "fenced" };
  if (lane.claimSeq === undefined) return { status: "done" };
  for (const seq of step.shared ?? []) tables.items.shareDeaths(lane.id, seq, lane.claimSeq);
  if (step.isCleared) tables.items.noteProgress(lane.claimSeq);
  return { status: "done" };
}

export function runCommitTurn(tables: Tables, step: CommitTurnStep, nowMs: number): StepResults["commit_turn"] {
  const lane = tables.lanes.find(step.lane);
  if (!holdsFence(lane, step.epoch)) return findEarlierCommit(tables, step, lane);
  const itemSeq = step.items[0];
  if (itemSeq === undefined || !areOfTurn(tables, lane, step.items)) return refuse("wrong_state");
  const isPlain = step.run === undefined && step.speeches === undefined;
  if (!isPlain && !tables.sessions.canWriteAll([step.session])) return refuse("conflict");
  const decision = isPlain ? {} : decideTurnRun(tables, step, lane);
  if ("status" in decision) return decision;
  const revision = tables.sessions.replace(resolveSession(step, decision.run === "ended"), nowMs);
  if (revision === undefined) return refuse("conflict");
  const end: TurnEnd = { epoch: step.epoch, revision, ...decision };
  for (const seq of step.items) tables.items.end(seq, step.itemState, end);
  const place = { sessionId: step.session.sessionId, sessionKey: step.lane, itemSeq };
  tables.entries.append(place, step.entries);
  for (const delivery of step.deliveries) tables.deliveries.insert(delivery, nowMs);
  if (isPlain) return { status: "done", waiting: freeAfterTurn(tables, lane), revision };
  tables.lanes.free(lane.id);
  const wakes = writeTurnRun(tables, step, decision.run, nowMs);
  const waiting = tables.lanes.countWaiting(lane.id).messages;
  return { status: "done", waiting, revision, ...decision, ...(wakes.size === 0 ? {} : { wakes: [...wakes] }) };
}

/** The record behind the turn, or behind the end of the run that ends with it. */
function resolveSession({ session, run }: CommitTurnStep, isEnded: boolean): SessionWrite {
  const ended = isEnded ? run?.ends.find((end) => end.session?.key === session.key)?.session : undefined;
  return ended === undefined ? session : { ...ended, expectRevision: session.expectRevision };
}

/** Answers how many messages are left. What came meanwhile waits since before the lane was found. */
function freeAfterTurn(tables: Tables, lane: Lane): number {
  if (!lane.hasWaiting) {
    tables.lanes.freeEmpty(lane.id);
    return 0;
  }
  tables.lanes.free(lane.id);
  return tables.lanes.countWaiting(lane.id).messages;
}

/** A repeat is known by its first item, also after later turns of the lane. */
function findEarlierCommit(tables: Tables, step: CommitTurnStep, lane: Lane | undefined): StepResults["commit_turn"] {
  const itemSeq = step.items[0];
  if (lane === undefined || itemSeq === undefined) return { status: "fenced" };
  const item = tables.items.findStanding(itemSeq);
  if (item?.laneId !== lane.id || item.ended?.epoch !== step.epoch) return { status: "fenced" };
  const { revision, run } = item.ended;
  const waiting = tables.lanes.countWaiting(lane.id).messages;
  return { status: "already", waiting, revision, ...(run === undefined ? {} : { run }) };
}

export function runRelease(tables: Tables, step: ReleaseStep): StepResults["release"] {
  const lane = tables.lanes.find(step.lane);
  if (lane === undefined || lane.epoch !== step.epoch || step.epoch === 0) return { status: "fenced" };
  if (lane.owner === undefined) return { status: "already" };
  if (lane.claimSeq !== undefined) tables.items.giveBack(lane.claimSeq, step.giveBackAttempt ? 1 : 0);
  tables.lanes.free(lane.id);
  return { status: "done" };
}

/** The claimed item first, then waiting ones of the lane that are no commands; none of them twice. */
function areOfTurn(tables: Tables, lane: Lane, items: readonly number[]): boolean {
  if (lane.claimSeq !== items[0]) return false;
  if (items.length === 1) return true;
  if (new Set(items).size !== items.length) return false;
  return items.slice(1).every((seq) => {
    const item = tables.items.findStanding(seq);
    return item?.laneId === lane.id && item.state === ITEM_STATE.waiting && !item.isCommand;
  });
}
