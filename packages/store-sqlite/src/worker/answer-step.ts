import type { AnswerEffect, AnswerStep, Refused, StepResults } from "@banyan/plugin-sdk/store";
import { ITEM_STATE } from "../database/code.ts";
import { refuse } from "./refusal.ts";
import type { Tables } from "./tables.ts";

export function runAnswer(tables: Tables, step: AnswerStep, nowMs: number): StepResults["answer"] {
  if (!tables.timers.stands(step.timer)) return { status: "already" };
  if (tables.entries.has(step.entry.id)) {
    tables.timers.settle(step.timer);
    return { status: "already" };
  }
  if (!isOpen(tables, step.itemSeq)) return refuse("ended");
  tables.timers.settle(step.timer);
  writeAnswer(tables, step, nowMs);
  return { status: "done" };
}

/** Looked at before the first write of the command. */
export function findAnswerRefusal(tables: Tables, { itemSeq, entry }: AnswerEffect): Refused | undefined {
  const isAnswered = tables.entries.has(entry.id);
  return isAnswered || !isOpen(tables, itemSeq) ? refuse("conflict") : undefined;
}

export function writeAnswer(tables: Tables, effect: AnswerEffect, nowMs: number): void {
  const { itemSeq, sessionId, entry, arm } = effect;
  const sessionKey = tables.items.find(itemSeq)?.lane ?? "";
  tables.entries.append({ sessionId, sessionKey, itemSeq }, [entry]);
  tables.timers.arm(arm, nowMs);
}

function isOpen(tables: Tables, itemSeq: number): boolean {
  const state = tables.items.findStanding(itemSeq)?.state;
  return state === ITEM_STATE.waiting || state === ITEM_STATE.active;
}
