import type { CommitTurnStep, Refused } from "@banyan/plugin-sdk/store";
import { holdCompletions } from "../tables/held-item.ts";
import { getItem } from "../tables/item-table.ts";
import { changeRun, findRun, getRun, hasAwaitedChildren } from "../tables/run-table.ts";
import type { LaneRecord, Tables } from "../tables/tables.ts";
import { applyEnds, findEndRefusal } from "./run-end.ts";

/** What becomes of the run that a turn worked for; without one, nothing. */
export type TurnFate = "ended" | "waiting" | undefined;

/** Looked at before the first write of the turn's end. */
export function decideTurnFate(tables: Tables, lane: LaneRecord, step: CommitTurnStep): TurnFate | Refused {
  const fate = step.run && decideRunFate(tables, lane, step.run, step.items);
  if (typeof fate === "object") return fate;
  return canSpeak(tables, step, fate) ? fate : { status: "refused", reason: "conflict" };
}

function decideRunFate(
  tables: Tables,
  lane: LaneRecord,
  turn: NonNullable<CommitTurnStep["run"]>,
  items: CommitTurnStep["items"],
): TurnFate | Refused {
  const run = findRun(tables, turn.runId);
  if (!run) return { status: "refused", reason: "not_found" };
  if (run.state !== "running" && run.state !== "waiting") return { status: "refused", reason: "wrong_state" };
  if (turn.mayWait && (hasAwaitedChildren(tables, run.runId) || hasItemsLeft(tables, lane, run.runId, items)))
    return "waiting";
  if (!turn.ends.some(({ runId }) => runId === run.runId)) return { status: "refused", reason: "conflict" };
  return findEndRefusal(tables, turn) ?? "ended";
}

function hasItemsLeft(tables: Tables, lane: LaneRecord, runId: string, items: CommitTurnStep["items"]): boolean {
  return [...lane.queue, ...lane.held].some((seq) => {
    const { row } = getItem(tables, seq);
    return row.runId === runId && row.wake !== "append" && !items.includes(seq);
  });
}

/** Each run has ended by then, and nobody has told of it. */
function canSpeak(tables: Tables, { speeches = [], run }: CommitTurnStep, fate: TurnFate): boolean {
  const ends = fate === "ended" ? (run?.ends ?? []) : [];
  return speeches.every(({ runId }) => {
    const present = ends.find((end) => end.runId === runId) ?? findRun(tables, runId);
    const isEnded = present !== undefined && ("state" in present ? present.state === "ended" : true);
    return isEnded && present.settledBy === undefined;
  });
}

/** Other lanes that now have something to do. */
export function applyTurnFate(
  tables: Tables,
  fate: TurnFate,
  { lane, run, speeches = [] }: CommitTurnStep,
  nowMs: number,
): readonly string[] {
  if (fate === "waiting" && run && getRun(tables, run.runId).state === "running")
    changeRun(tables, run.runId, { state: "waiting", changedAtMs: nowMs });
  if (fate === "waiting" && run && hasAwaitedChildren(tables, run.runId)) holdCompletions(tables, lane, run.runId);
  const wakes = fate === "ended" && run ? applyEnds(tables, run, nowMs) : [];
  for (const { runId, by: settledBy, toldWithRunId } of speeches)
    changeRun(tables, runId, { settledBy, ...(toldWithRunId === undefined ? {} : { toldWithRunId }) });
  return [...wakes].filter((other) => other !== lane);
}
