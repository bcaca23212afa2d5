import type { CommandStep, NewItem, Refused, StepResults } from "@banyan/plugin-sdk/store";
import { writeDeliveries } from "../tables/delivery-table.ts";
import { changeItem, endItem, insertItem } from "../tables/item-table.ts";
import { countWaiting, getLane } from "../tables/lane-table.ts";
import { findRun } from "../tables/run-table.ts";
import { conflicts, standsOpen, writeSession } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";
import { applyAnswerEffect, findAnswerRefusal } from "./answer-step.ts";
import { applyBindEffect, findBindRefusal } from "./binding-steps.ts";
import { applyRetryEffect } from "./delivery-steps.ts";
import { applyLinkEffect, findLinkRefusal } from "./link-effect.ts";
import { applyAccept, findAcceptRefusal } from "./run-accept.ts";
import { applyEnds, findEndRefusal } from "./run-end.ts";
import { canStop, stopTurn } from "./turn-stop.ts";

export function applyCommand(tables: Tables, step: CommandStep, nowMs: number): StepResults["command"] {
  const command = tables.items.get(step.seq)?.row;
  if (!command) return { status: "refused", reason: "not_found" };
  if (command.lane !== step.lane || command.kind !== "command") return { status: "refused", reason: "wrong_state" };
  if (command.state === "done") return { status: "already" };
  if (command.state !== "waiting") return { status: "refused", reason: "wrong_state" };
  const lane = getLane(tables, step.lane);
  if (step.stop && !canStop(tables, step.stop, step.lane)) return { status: "refused", reason: "conflict" };
  if (conflicts(tables, step.session)) return { status: "refused", reason: "conflict" };
  if (!step.items.every((item) => hasPlace(tables, step, item))) return { status: "refused", reason: "no_session" };
  const refusal = findEffectRefusal(tables, step, nowMs);
  if (refusal) return refusal;

  if (step.stop) stopTurn(tables, step.stop.lane ?? step.lane, step.stop);
  if (step.session) writeSession(tables, step.session, nowMs);
  if (step.link) applyLinkEffect(tables, step.link, nowMs);
  endItem(tables, step.seq, "done");
  const items = step.items.map(
    (item) => tables.seqByDedupe.get(item.dedupe) ?? insertItem(tables, item, "waiting", nowMs),
  );
  writeDeliveries(tables, step.deliveries, nowMs);
  const wakes = applyRunEffects(tables, step, nowMs);
  if (step.retry) applyRetryEffect(tables, step.retry, nowMs);
  if (step.answer) applyAnswerEffect(tables, step.answer, nowMs);
  if (step.prioritize) prioritizeWaiting(tables, step.lane, step.prioritize);
  return { status: "done", items, waiting: countWaiting(lane), ...(wakes.length > 0 ? { wakes } : {}) };
}

/** Looked at before the first write of the command. */
function findEffectRefusal(tables: Tables, step: CommandStep, nowMs: number): Refused | undefined {
  const link = step.link && findLinkRefusal(tables, step.link, nowMs);
  if (link) return link;
  const answer = step.answer && findAnswerRefusal(tables, step.answer);
  if (answer) return answer;
  const accept = step.accept && findAcceptRefusal(tables, step.accept);
  // A run that was accepted before is left alone.
  if (accept && "reason" in accept) return accept;
  return (step.runs && findEndRefusal(tables, step.runs)) ?? (step.bind && findBindRefusal(tables, step.bind));
}

/** Other lanes that now have something to do. */
function applyRunEffects(tables: Tables, step: CommandStep, nowMs: number): readonly string[] {
  const { lane, stop, accept, runs, bind } = step;
  const wakes = new Set<string>(stop?.lane === undefined ? [] : [stop.lane]);
  if (accept && findRun(tables, accept.runId)?.state === "reserved") {
    applyAccept(tables, accept, nowMs);
    wakes.add(accept.item.lane);
  }
  for (const other of runs ? applyEnds(tables, runs, nowMs) : []) wakes.add(other);
  if (bind) applyBindEffect(tables, bind, nowMs);
  return [...wakes].filter((other) => other !== lane);
}

function hasPlace(tables: Tables, step: CommandStep, item: NewItem): boolean {
  return tables.seqByDedupe.has(item.dedupe) || standsOpen(tables, item.lane) || step.session?.key === item.lane;
}

function prioritizeWaiting(
  tables: Tables,
  lane: string,
  { seq, priority }: NonNullable<CommandStep["prioritize"]>,
): void {
  const row = tables.items.get(seq)?.row;
  if (row?.lane !== lane || row.state !== "waiting" || row.kind !== "message") return;
  changeItem(tables, seq, { priority });
}
