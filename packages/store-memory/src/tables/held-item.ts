import { changeItem, getItem } from "./item-table.ts";
import { getLane, queueItem, unqueueItem } from "./lane-table.ts";
import type { Tables } from "./tables.ts";

/** It waits in its lane for the completions of its siblings; it is not in the queue. */
export function holdItem(tables: Tables, seq: number, runId: string): void {
  const { lane } = getItem(tables, seq).row;
  changeItem(tables, seq, { state: "held" });
  const record = getLane(tables, lane);
  record.held = [...record.held, seq];
  const held = tables.runs.heldItems.get(runId) ?? new Set();
  held.add(seq);
  tables.runs.heldItems.set(runId, held);
}

/** Completions that wait in a run's lane for its next turn wait with it: they came before it had asked for more. */
export function holdCompletions(tables: Tables, lane: string, runId: string): void {
  const record = getLane(tables, lane);
  for (const seq of [...record.queue]) {
    const { row } = getItem(tables, seq);
    if (row.kind !== "completion" || row.runId !== runId || row.wake === "append") continue;
    unqueueItem(tables, record, seq);
    holdItem(tables, seq, runId);
  }
}

/** All that a run holds waits from now on, each in its place. The lanes where something did. */
export function freeHeldItems(tables: Tables, runId: string, wake: "turn" | "append"): readonly string[] {
  const seqs = [...(tables.runs.heldItems.get(runId) ?? [])];
  tables.runs.heldItems.delete(runId);
  return seqs.map((seq) => {
    const lane = getLane(tables, getItem(tables, seq).row.lane);
    lane.held = lane.held.filter((other) => other !== seq);
    changeItem(tables, seq, { state: "waiting", ...(wake === "append" ? { wake } : {}) });
    queueItem(tables, lane, seq, false);
    return lane.lane;
  });
}
