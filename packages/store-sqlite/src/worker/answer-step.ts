import type { AnswerEffect, AnswerStep, Refused, StepResults } from "@banyan/store";
import { refuse } from "./refusal.ts";
import type { Tables } from "./tables.ts";

export function runAnswer(tables: Tables, step: AnswerStep, nowMs: number): StepResults["answer"] {
  if (!tables.timers.stands(step.timer)) return { status: "already" };
  if (tables.entries.has(step.entry.id)) {
    tables.timers.settle(step.timer);
    return { status: "already" };
  }
  if (!isAwaited(tables, step.itemSeq)) return refuse("ended");
  tables.timers.settle(step.timer);
  writeAnswer(tables, step, nowMs);
  return { status: "done" };
}

/** Looked at before the first write of the command. */
export function findAnswerRefusal(tables: Tables, { itemSeq, entry }: AnswerEffect): Refused | undefined {
  const isAnswered = tables.entries.has(entry.id);
  return isAnswered || !isAwaited(tables, itemSeq) ? refuse("conflict") : undefined;
}

export function writeAnswer(tables: Tables, effect: AnswerEffect, nowMs: number): void {
  const { itemSeq, sessionId, entry, arm } = effect;
  const sessionKey = tables.items.find(itemSeq)?.lane ?? "";
  tables.entries.append({ sessionId, sessionKey, itemSeq }, [entry]);
  tables.timers.arm(arm, nowMs);
}

/** Whether a turn of it runs or is still to run. */
function isAwaited(tables: Tables, itemSeq: number): boolean {
  const { state, wake } = tables.items.find(itemSeq) ?? {};
  return (state === "waiting" || state === "active") && wake !== "append";
}
