/**
 * Makes the ends of runs ready for the one step that writes them, whichever step that is: what runs for them is stopped,
 * everything below ends with them, and the rows for the chat are reserved. Then `settleEnds`, or `abandonEnds`.
 */
import type { EndedRun } from "@banyan/plugin-sdk";
import type { EndRuns, NewDelivery, RunRow, StoreReads, TurnClaim } from "@banyan/plugin-sdk/store";
import { commitPatiently } from "../ports/commit-step.ts";
import { buildAnnouncementComposer } from "./announcement-rows.ts";
import { chooseRecordWriters } from "./choose-record-writers.ts";
import { type ComposedEnd, composeRunEnd } from "./compose-run-end.ts";
import type { TargetAnswers } from "./delivery-target.ts";
import type { EndCause } from "./end-cause.ts";
import { type HaltedRun, type HaltedTurns, haltRun, readEndingRun } from "./read-ending-run.ts";
import { isOnlyRun, readUnfinishedBelow, readUnfinishedBelowRun } from "./read-runs-below.ts";
import { parseRunBody } from "./run-body.ts";
import type { RunParts, StoppedTurn } from "./run-parts.ts";
import { isUnfinished } from "./run-record.ts";
import { listUndoTimers } from "./run-timer.ts";
import { giveTurnsBack, type StoppedLane } from "./stopped-lane.ts";

export interface EndRequest extends EndCause {
  /** What ends, with everything below; those that have ended already are left out. */
  readonly runs: readonly RunRow[];
  /** Sessions whose children all end. */
  readonly closed?: readonly string[];
  /** A lane whose turn the caller has stopped and ends itself, with the record of its session. */
  readonly halted?: { readonly lane: string; readonly turn: StoppedTurn | undefined };
  /** The turn that asks, where one does. */
  readonly askedBy?: TurnClaim;
  /** What was answered when the same ends were decided before; kept by whoever decides them again. */
  readonly answers: TargetAnswers;
}

export interface PreparedEnds {
  readonly effect: EndRuns;
  /** For the hook, once it is written. */
  readonly events: readonly EndedRun[];
  readonly deliveries: readonly NewDelivery[];
  readonly stopped: readonly StoppedLane[];
}

/** Longer than a spawn may take to open its places. */
const UNDO_AFTER_MS = 2 * 60_000;
const CASCADE: EndCause = { reason: "killed", error: "What had asked for it ended before it.", by: "cascade" };

/** Reads, stops and composes. Rejects with everything as it was, but for turns that run again. */
export async function prepareEnds(request: EndRequest, parts: RunParts): Promise<PreparedEnds> {
  const { causes, closed } = await collectEnds(request, parts);
  const runs = [...causes.keys()];
  const closedRuns = runs.map(({ runId }) => runId);
  const stopped: StoppedLane[] = [];
  const composed: ComposedEnd[] = [];
  try {
    const halted = await haltEach(runs, { stopped, halted: request.halted }, parts);
    const now = parts.ports.clock.now();
    const writers = await chooseRecordWriters(runs, parts.store.read);
    for (const [run, cause] of causes) {
      const how = halted.get(run);
      if (how === undefined) continue;
      const ending = await readEndingRun(run, { ...cause, now, answers: request.answers }, how, parts);
      const child = writers.has(run.runId) ? ending.child : undefined;
      composed.push(composeRunEnd({ ...ending, child }, buildAnnouncementComposer(parts)));
    }
  } catch (error) {
    await giveTurnsBack(stopped, parts);
    throw error;
  }
  const prepared = reserveEnds(composed, closed, stopped, parts);
  return { ...prepared, effect: { ...prepared.effect, closedRuns } };
}

/** All at once: each may take its time. What was stopped is known also where one of them rejects. */
async function haltEach(
  runs: readonly RunRow[],
  turns: HaltedTurns,
  parts: RunParts,
): Promise<ReadonlyMap<RunRow, HaltedRun>> {
  const halted = new Map<RunRow, HaltedRun>();
  const halts = runs.map(async (run) => halted.set(run, await haltRun(run, turns, parts)));
  for (const settled of await Promise.allSettled(halts)) if (settled.status === "rejected") throw settled.reason;
  return halted;
}

/** The rows that may be sent at once are marked so: `settleEnds` or `abandonEnds` must follow. */
export function reserveEnds(
  composed: readonly ComposedEnd[],
  closed: readonly string[],
  stopped: readonly StoppedLane[],
  parts: Pick<RunParts, "outbox" | "owner">,
): PreparedEnds {
  const ends = composed.map(({ end }) => ({
    ...end,
    deliveries: parts.outbox.reserve(end.deliveries, parts.owner),
  }));
  return {
    effect: { ends, closed },
    events: composed.map(({ completion, requesterSessionKey }) => {
      const { runId, childSessionKey } = completion;
      return { runId, childSessionKey, requesterSessionKey, completion };
    }),
    deliveries: ends.flatMap(({ deliveries }) => deliveries),
    stopped,
  };
}

/** Children before their parents. */
async function collectEnds(
  request: EndRequest,
  parts: RunParts,
): Promise<{ readonly causes: ReadonlyMap<RunRow, EndCause>; readonly closed: readonly string[] }> {
  const { read } = parts.store;
  const { reason, error, by, spokenAt } = request;
  const own: EndCause = {
    reason,
    by,
    ...(error !== undefined && { error }),
    ...(spokenAt !== undefined && { spokenAt }),
  };
  const closing = request.closed ?? [];
  const judge = (run: RunRow, other: EndCause) =>
    closing.includes(run.requesterSessionKey) ? { ...own, isClosing: true } : other;
  const ordered = new Map<string, readonly [RunRow, EndCause]>();
  for (const key of closing) {
    // One look: what another process spawns meanwhile is found with its place in the tree, or not at all.
    for (const below of await readUnfinishedBelow(key, read)) ordered.set(below.runId, [below, judge(below, CASCADE)]);
  }
  const whole = new Set<string>();
  for (const run of request.runs) {
    const isWhole = await endsSession(run, request, read);
    if (isWhole) whole.add(run.childSessionKey);
    for (const below of await readUnfinishedBelowRun(run, isWhole, read)) {
      ordered.set(below.runId, [below, judge(below, CASCADE)]);
    }
  }
  for (const run of request.runs) {
    // Behind what is below it, also where another one of the list is above it.
    ordered.set(run.runId, [ordered.get(run.runId)?.[0] ?? run, judge(run, own)]);
  }
  const live = [...ordered.values()].filter(([run]) => isUnfinished(run));
  const causes = new Map<RunRow, EndCause>();
  for (const [run, cause] of live) {
    if (run.state === "reserved") await undoReservation(run, request.askedBy, parts);
    else causes.set(run, wakeParent(run, cause, ordered));
  }
  return { causes, closed: [...new Set([...closing, ...whole])] };
}

/**
 * Whether all that a run's session has asked for ends with the run, not only what the run has: it works for nothing else,
 * and was opened for this task alone or is stopped on purpose.
 */
async function endsSession(run: RunRow, { reason }: EndRequest, read: StoreReads): Promise<boolean> {
  const isOver = reason === "killed" || parseRunBody(run.body).mode === "run";
  return isOver && (await isOnlyRun(run, read));
}

/**
 * A session below one that is closed may have been written to from elsewhere. What it has asked for on that behalf ends
 * all the same, but the run that waits for it goes on, and is woken.
 */
function wakeParent({ parentRunId }: RunRow, cause: EndCause, ending: ReadonlyMap<string, unknown>): EndCause {
  const goesOn = cause === CASCADE && parentRunId !== undefined && !ending.has(parentRunId);
  return goesOn ? { ...cause, by: "sweep" } : cause;
}

/**
 * A spawn under way finds at its acceptance that nobody wants it any more, and takes back what it has opened. Where its
 * process dies before, timers do.
 */
async function undoReservation(
  run: RunRow,
  askedBy: TurnClaim | undefined,
  { store, ports, signal, wakeTimers }: RunParts,
): Promise<void> {
  const { runId } = run;
  const arm = listUndoTimers(run, parseRunBody(run.body), UNDO_AFTER_MS);
  if (arm.length > 0) {
    await commitPatiently(store, { step: "set_timers", arm, end: [] }, ports, signal);
    wakeTimers();
  }
  await commitPatiently(store, { step: "undo_run", runId, ...(askedBy && { askedBy }) }, ports, signal);
}
