import type { EnqueueStep, StepResults } from "@banyan/plugin-sdk/store";
import { insertItem } from "../tables/item-table.ts";
import { holdsFence } from "../tables/lane-table.ts";
import { standsOpen } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";

export function applyEnqueue(tables: Tables, { item, askedBy }: EnqueueStep, nowMs: number): StepResults["enqueue"] {
  const seq = tables.seqByDedupe.get(item.dedupe);
  if (seq !== undefined) return { status: "already", seq };
  if (askedBy && !holdsFence(tables.lanes.get(askedBy.lane), askedBy.epoch)) return { status: "fenced" };
  if (!standsOpen(tables, item.lane)) return { status: "refused", reason: "no_session" };
  return { status: "done", seq: insertItem(tables, item, "waiting", nowMs) };
}
