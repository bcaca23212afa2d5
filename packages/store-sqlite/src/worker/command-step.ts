import type { CommandStep, NewItem, Refused, StepResults } from "@banyan/plugin-sdk/store";
import { ITEM_STATE } from "../database/code.ts";
import type { Lane } from "./lane-table.ts";
import { findLinkRefusal, runLinkEffect } from "./link-effect.ts";
import type { Tables } from "./tables.ts";

export function runCommand(tables: Tables, step: CommandStep, nowMs: number): StepResults["command"] {
  const command = tables.items.findStanding(step.seq);
  if (command === undefined) return refuse("not_found");
  const lane = tables.lanes.find(step.lane);
  if (lane === undefined || command.laneId !== lane.id || !command.isCommand) return refuse("wrong_state");
  if (command.state === ITEM_STATE.done) return { status: "already" };
  if (command.state !== ITEM_STATE.waiting) return refuse("wrong_state");
  if (step.stop !== undefined && step.stop.epoch !== lane.epoch) return refuse("conflict");
  const decision = step.session === undefined ? undefined : tables.sessions.decide(step.session);
  if (decision?.kind === "conflict") return refuse("conflict");
  if (!step.items.every((item) => hasPlace(tables, step, item))) return refuse("no_session");
  const refusal = step.link === undefined ? undefined : findLinkRefusal(tables, step.link, nowMs);
  if (refusal !== undefined) return refusal;

  if (step.stop !== undefined) stopTurn(tables, step.lane, lane, step.stop);
  if (step.session !== undefined && decision !== undefined) tables.sessions.write(step.session, decision, nowMs);
  if (step.link !== undefined) runLinkEffect(tables, step.link, nowMs);
  tables.items.end(step.seq, "done", undefined);
  const items = step.items.map((item) => storeItem(tables, item, nowMs));
  for (const delivery of step.deliveries) tables.deliveries.insert(delivery, nowMs);
  if (step.stop === undefined) tables.lanes.refresh(lane.id);
  else tables.lanes.free(lane.id);
  return { status: "done", items, waiting: tables.lanes.countWaiting(lane.id).messages };
}

function stopTurn(tables: Tables, sessionKey: string, lane: Lane, stop: NonNullable<CommandStep["stop"]>): void {
  const itemSeq = lane.owner === undefined ? undefined : lane.claimSeq;
  tables.entries.append({ sessionId: stop.sessionId, sessionKey, itemSeq }, stop.entries);
  if (itemSeq !== undefined) tables.items.end(itemSeq, "done", undefined);
}

function storeItem(tables: Tables, item: NewItem, nowMs: number): number {
  const firstSeq = tables.items.findDuplicate(item.dedupe);
  if (firstSeq !== undefined) return firstSeq;
  const lane = tables.lanes.open(item.lane);
  const place = { laneId: lane.id, state: "waiting", attempt: 0, body: item.body } as const;
  const seq = tables.items.insert(item, place, nowMs);
  tables.lanes.refresh(lane.id);
  return seq;
}

function hasPlace(tables: Tables, step: CommandStep, item: NewItem): boolean {
  if (tables.items.findDuplicate(item.dedupe) !== undefined || step.session?.key === item.lane) return true;
  return tables.sessions.findRevision(item.lane) !== undefined;
}

function refuse(reason: Refused["reason"]): Refused {
  return { status: "refused", reason };
}
