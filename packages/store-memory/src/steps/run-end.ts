import type { EndRuns, Refused, RunEnd, RunRow } from "@banyan/plugin-sdk/store";
import { removeBindings } from "../tables/binding-table.ts";
import { writeDeliveries } from "../tables/delivery-table.ts";
import { appendEntries } from "../tables/entry-table.ts";
import { freeHeldItems, holdItem } from "../tables/held-item.ts";
import { changeItem, endItem, getItem, insertItem } from "../tables/item-table.ts";
import { appendActive } from "../tables/lane-move.ts";
import { freeLane, getLane } from "../tables/lane-table.ts";
import { endRun, findRun, findRunIds, getRun, hasAwaitedChildren, hasEnded } from "../tables/run-table.ts";
import { conflicts, standsOpen, writeSession } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";
import { writeTimers } from "../tables/timer-table.ts";

const CONFLICT: Refused = { status: "refused", reason: "conflict" };

/** Looked at before the first write of the step that carries the ends. */
export function findEndRefusal(tables: Tables, { ends, closed, closedRuns = [] }: EndRuns): Refused | undefined {
  const ending = new Set(ends.map(({ runId }) => runId));
  if (ending.size !== ends.length || !ends.every((end) => canEnd(tables, end))) return CONFLICT;
  const isLeft = (by: "unfinishedRequester" | "unfinishedParent") => (key: string) =>
    [...findRunIds(tables, by, key)].some((id) => !ending.has(id));
  const leavesOpen = closed.some(isLeft("unfinishedRequester")) || closedRuns.some(isLeft("unfinishedParent"));
  return leavesOpen ? CONFLICT : undefined;
}

function canEnd(tables: Tables, { runId, requesterSessionKey, stop, session, completion }: RunEnd): boolean {
  const run = findRun(tables, runId);
  if (!run || run.state === "ended" || run.state === "reserved") return false;
  if (requesterSessionKey !== undefined && requesterSessionKey !== run.requesterSessionKey) return false;
  if (stop && stop.epoch !== (tables.lanes.get(run.childSessionKey)?.epoch ?? 0)) return false;
  if (conflicts(tables, session)) return false;
  return completion === undefined || standsOpen(tables, completion.lane);
}

/** The lanes that now have something to do. */
export function applyEnds(tables: Tables, { ends }: EndRuns, nowMs: number): ReadonlySet<string> {
  const wakes = new Set<string>();
  for (const end of ends) {
    for (const lane of finishRun(tables, end, nowMs)) wakes.add(lane);
  }
  // Only now is it known which runs still wait for others.
  for (const end of ends) {
    for (const lane of writeCompletion(tables, end, nowMs)) wakes.add(lane);
    writeDeliveries(tables, end.deliveries, nowMs);
  }
  return wakes;
}

function finishRun(tables: Tables, end: RunEnd, nowMs: number): readonly string[] {
  const { runId, endedReason, result, target, completion, settledBy } = end;
  const told = completion === undefined ? {} : { toldSessionKey: completion.lane };
  const more = { ...(target === undefined ? {} : { target }), ...(settledBy === undefined ? {} : { settledBy }) };
  const run = getRun(tables, runId);
  endRun(tables, runId, { endedReason, result, ...more, ...told }, nowMs);
  const wakes = end.stop ? stopRun(tables, run, end.stop) : [];
  if (end.session) writeSession(tables, end.session, nowMs);
  if (end.unbinds) removeBindings(tables, run.childSessionKey, "thread");
  writeTimers(tables, end.timers, end.endTimers, nowMs);
  return [...wakes, ...freeHeldItems(tables, runId, "append")];
}

/** What the child's lane runs or keeps for this run ends; what it was told is still written down. */
function stopRun(tables: Tables, run: RunRow, stop: NonNullable<RunEnd["stop"]>): readonly string[] {
  const lane = getLane(tables, run.childSessionKey);
  const [itemSeq] = lane.active;
  const isItsTurn = itemSeq !== undefined && getItem(tables, itemSeq).row.runId === run.runId;
  const place = { sessionKey: run.childSessionKey, sessionId: stop.sessionId };
  appendEntries(tables, isItsTurn ? { ...place, itemSeq } : place, stop.entries);
  // What it tells may not be written yet: it waits again, with the others.
  if (isItsTurn && getItem(tables, itemSeq).row.kind === "completion") appendActive(tables, lane);
  for (const seq of [...lane.queue]) {
    const { runId, kind, wake } = getItem(tables, seq).row;
    if (runId !== run.runId || wake === "append") continue;
    if (kind === "completion") changeItem(tables, seq, { wake: "append" });
    else endItem(tables, seq, "done");
  }
  if (!isItsTurn) return [];
  for (const seq of lane.active) endItem(tables, seq, "done");
  freeLane(tables, lane);
  return [lane.lane];
}

/** What a run holds is set free with the last completion that it waits for, wherever that one goes. */
function writeCompletion(tables: Tables, { runId, completion }: RunEnd, nowMs: number): readonly string[] {
  const wakes: string[] = [];
  if (completion && !tables.seqByDedupe.has(completion.dedupe)) {
    const parent = completion.runId;
    const isAppended = completion.wake === "append" || (parent !== undefined && hasEnded(tables, parent));
    if (!isAppended && parent !== undefined && hasAwaitedChildren(tables, parent)) {
      holdItem(tables, insertItem(tables, completion, "held", nowMs), parent);
    } else {
      insertItem(tables, isAppended ? { ...completion, wake: "append" } : completion, "waiting", nowMs);
      wakes.push(completion.lane);
    }
  }
  for (const parent of [getRun(tables, runId).parentRunId, completion?.runId]) {
    if (parent !== undefined) wakes.push(...freeWhatWaited(tables, parent));
  }
  return wakes;
}

/** The lanes of what a run held for children, where it waits for none any more. */
export function freeWhatWaited(tables: Tables, runId: string): readonly string[] {
  return hasAwaitedChildren(tables, runId) ? [] : freeHeldItems(tables, runId, "turn");
}
