import type { AnswerEffect, AnswerStep, Refused, StepResults } from "@banyan/plugin-sdk/store";
import { appendEntries } from "../tables/entry-table.ts";
import type { Tables } from "../tables/tables.ts";
import { isAwaited, removeFired, standsArmed, writeTimers } from "../tables/timer-table.ts";

export function applyAnswer(tables: Tables, step: AnswerStep, nowMs: number): StepResults["answer"] {
  if (!standsArmed(tables, step.timer)) return { status: "already" };
  if (tables.entryIds.has(step.entry.id)) {
    removeFired(tables, step.timer);
    return { status: "already" };
  }
  if (!isAwaited(tables, step.itemSeq)) return { status: "refused", reason: "ended" };
  removeFired(tables, step.timer);
  applyAnswerEffect(tables, step, nowMs);
  return { status: "done" };
}

/** Looked at before the first write of the command. */
export function findAnswerRefusal(tables: Tables, { itemSeq, entry }: AnswerEffect): Refused | undefined {
  const isAnswered = tables.entryIds.has(entry.id);
  return isAnswered || !isAwaited(tables, itemSeq) ? { status: "refused", reason: "conflict" } : undefined;
}

export function applyAnswerEffect(tables: Tables, effect: AnswerEffect, nowMs: number): void {
  const { itemSeq, sessionId, entry, arm } = effect;
  const lane = tables.items.get(itemSeq)?.row.lane ?? "";
  appendEntries(tables, { sessionKey: lane, sessionId, itemSeq }, [entry]);
  writeTimers(tables, arm, [], nowMs);
}
