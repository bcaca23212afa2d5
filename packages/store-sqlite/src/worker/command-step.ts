import type { CommandStep, NewItem, Refused, RetryEffect, StepResults } from "@banyan/store";
import { ITEM_STATE } from "../database/code.ts";
import { acceptRun, findAcceptObstacle } from "./accept-run.ts";
import { findAnswerRefusal, writeAnswer } from "./answer-step.ts";
import { findBindObstacle, findBindRefusal, writeBinding } from "./binding-effect.ts";
import type { Wakes } from "./completion.ts";
import { endRuns, findEndsRefusal } from "./end-runs.ts";
import { findLinkRefusal, runLinkEffect } from "./link-effect.ts";
import { refuse } from "./refusal.ts";
import type { Tables } from "./tables.ts";
import { findStopped, stopTurn } from "./turn-stop.ts";
import { storeWaitingItem } from "./waiting-item.ts";

export function runCommand(tables: Tables, step: CommandStep, nowMs: number): StepResults["command"] {
  const command = tables.items.findStanding(step.seq);
  if (command === undefined) return refuse("not_found");
  const lane = tables.lanes.find(step.lane);
  if (lane === undefined || command.laneId !== lane.id || !command.isCommand) return refuse("wrong_state");
  if (command.state === ITEM_STATE.done) return { status: "already" };
  if (command.state !== ITEM_STATE.waiting) return refuse("wrong_state");
  const stopped = step.stop === undefined ? undefined : findStopped(tables, step.stop, step.lane);
  if (stopped === undefined && step.stop !== undefined) return refuse("conflict");
  const decision = step.session === undefined ? undefined : tables.sessions.decide(step.session);
  if (decision?.kind === "conflict") return refuse("conflict");
  if (!step.items.every((item) => hasPlace(tables, step, item))) return refuse("no_session");
  const refusal = step.link === undefined ? undefined : findLinkRefusal(tables, step.link, nowMs);
  const answerRefusal = refusal ?? (step.answer && findAnswerRefusal(tables, step.answer));
  const runRefusal = answerRefusal ?? findRunRefusal(tables, step);
  if (runRefusal !== undefined) return runRefusal;

  if (step.stop !== undefined && stopped !== undefined) stopTurn(tables, stopped, step.stop, step.lane);
  if (step.session !== undefined && decision !== undefined) tables.sessions.write(step.session, decision, nowMs);
  if (step.link !== undefined) runLinkEffect(tables, step.link, nowMs);
  tables.items.end(step.seq, "done", undefined);
  const items = step.items.map((item) => storeWaitingItem(tables, item, nowMs));
  for (const delivery of step.deliveries) tables.deliveries.insert(delivery, nowMs);
  if (stopped !== undefined) tables.lanes.free(stopped.id);
  if (stopped?.id !== lane.id) tables.lanes.refresh(lane.id);
  const wakes = writeRunEffects(tables, step, nowMs);
  if (step.retry !== undefined) retryAll(tables, step.retry, nowMs);
  if (step.answer !== undefined) writeAnswer(tables, step.answer, nowMs);
  if (step.prioritize !== undefined) tables.items.prioritize(lane.id, step.prioritize.seq, step.prioritize.priority);
  const waiting = tables.lanes.countWaiting(lane.id).messages;
  return { status: "done", items, waiting, ...(wakes.size === 0 ? {} : { wakes: [...wakes] }) };
}

/** What refuses a run's part of the command refuses all of it. */
function findRunRefusal(tables: Tables, { accept, runs, bind }: CommandStep): Refused | undefined {
  const acceptObstacle = accept && findAcceptObstacle(tables, accept);
  if (acceptObstacle?.status === "refused") return acceptObstacle;
  const endsRefusal = runs && findEndsRefusal(tables, runs);
  if (endsRefusal !== undefined) return endsRefusal;
  return bind && findBindRefusal(tables, bind);
}

/** What stands as it should is left alone. Other lanes that it gave something to do. */
function writeRunEffects(tables: Tables, step: CommandStep, nowMs: number): Wakes {
  const { lane, stop, accept, runs, bind } = step;
  const wakes: Wakes = new Set(stop?.lane === undefined ? [] : [stop.lane]);
  if (accept !== undefined && findAcceptObstacle(tables, accept) === undefined) {
    acceptRun(tables, accept, nowMs);
    wakes.add(accept.item.lane);
  }
  if (runs !== undefined) endRuns(tables, runs.ends, nowMs, wakes);
  if (bind !== undefined && findBindObstacle(tables, bind) === undefined) writeBinding(tables, bind, nowMs);
  wakes.delete(lane);
  return wakes;
}

function retryAll(tables: Tables, { ids, audit }: RetryEffect, nowMs: number): void {
  const retried = ids.filter((id) => tables.deliveries.retry(id, nowMs));
  if (retried.length > 0) tables.audit.write(audit, nowMs);
}

function hasPlace(tables: Tables, step: CommandStep, item: NewItem): boolean {
  if (tables.items.findDuplicate(item.dedupe) !== undefined || step.session?.key === item.lane) return true;
  return tables.sessions.isListed(item.lane);
}
