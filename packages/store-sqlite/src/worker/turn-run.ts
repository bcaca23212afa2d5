import type { CommitTurnStep, Refused, RunSpeech } from "@banyan/store";
import type { Wakes } from "./completion.ts";
import { endRuns, findEndsRefusal } from "./end-runs.ts";
import type { TurnRunEnd } from "./item-table.ts";
import type { Lane } from "./lane-table.ts";
import { refuse } from "./refusal.ts";
import type { Tables } from "./tables.ts";

/** What the end of a turn means for the run that it works for; decided before the first write. */
export function decideTurnRun(tables: Tables, step: CommitTurnStep, lane: Lane): Refused | { run?: TurnRunEnd } {
  const { run, speeches = [] } = step;
  if (run === undefined) return canSpeak(tables, speeches, []) ? {} : refuse("conflict");
  const state = tables.runs.findStanding(run.runId)?.state;
  if (state === undefined) return refuse("not_found");
  if (state !== "running" && state !== "waiting") return refuse("wrong_state");
  const isWaiting = run.mayWait && isAwaiting(tables, step, run.runId, lane);
  if (!isWaiting) {
    if (!run.ends.some(({ runId }) => runId === run.runId)) return refuse("conflict");
    const refusal = findEndsRefusal(tables, run);
    if (refusal !== undefined) return refusal;
  }
  const ends = isWaiting ? [] : run.ends;
  return canSpeak(tables, speeches, ends) ? { run: isWaiting ? "waiting" : "ended" } : refuse("conflict");
}

/** Whether a run has more to come than this turn. */
function isAwaiting(tables: Tables, { items }: CommitTurnStep, runId: string, lane: Lane): boolean {
  if (tables.openRuns.hasAwaited(runId) || tables.heldItems.hasOfRun(runId, lane.id)) return true;
  return tables.items.listWaitingOfRun(lane.id, runId).some((seq) => !items.includes(seq));
}

/** Whether all of these runs will have ended with nobody who told of them. */
function canSpeak(
  tables: Tables,
  speeches: readonly RunSpeech[],
  ends: NonNullable<CommitTurnStep["run"]>["ends"],
): boolean {
  if (new Set(speeches.map(({ runId }) => runId)).size !== speeches.length) return false;
  return speeches.every(({ runId }) => {
    const end = ends.find((other) => other.runId === runId);
    if (end !== undefined) return end.settledBy === undefined;
    const run = tables.runs.findStanding(runId);
    return run?.state === "ended" && !run.isSettled;
  });
}

/** Does what was decided, after all else that the turn writes. Other lanes that it gave something to do. */
export function writeTurnRun(tables: Tables, step: CommitTurnStep, run: TurnRunEnd | undefined, nowMs: number): Wakes {
  const wakes: Wakes = new Set();
  if (step.run !== undefined) {
    if (run === "waiting") waitWith(tables, step.run.runId, step.lane, nowMs);
    else endRuns(tables, step.run.ends, nowMs, wakes);
  }
  for (const speech of step.speeches ?? []) tables.runs.settle(speech);
  wakes.delete(step.lane);
  return wakes;
}

/** Completions that wait in the run's lane for its next turn wait with it: they came before it had asked for more. */
function waitWith(tables: Tables, runId: string, laneKey: string, nowMs: number): void {
  tables.runs.wait(runId, nowMs);
  if (!tables.openRuns.hasAwaited(runId)) return;
  const { id } = tables.lanes.open(laneKey);
  for (const seq of tables.items.holdCompletions(id, runId)) tables.heldItems.add(seq, id, runId);
  tables.lanes.refresh(id);
}
