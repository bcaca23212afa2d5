import type { Already, BindEffect, BindStep, Refused, SetTimersStep, StepResults } from "@banyan/store";
import { refuse } from "./refusal.ts";
import type { Tables } from "./tables.ts";

/** Looked at before the first write of a step. `already`: it stands so. */
export function findBindObstacle(tables: Tables, effect: BindEffect): Refused | Already | undefined {
  const { binding } = effect;
  if (tables.bindings.stands(effect)) return { status: "already" };
  if (binding !== null && !tables.sessions.isListed(binding.sessionKey)) return refuse("no_session");
  return undefined;
}

/** The same for a command, whose answer says what is at the address from then on. */
export function findBindRefusal(tables: Tables, effect: BindEffect): Refused | undefined {
  const obstacle = findBindObstacle(tables, effect);
  if (obstacle?.status === "refused") return obstacle;
  const isOther = obstacle !== undefined && effect.binding === null && tables.bindings.isBound(effect.address);
  return isOther ? refuse("conflict") : undefined;
}

export function writeBinding(tables: Tables, effect: BindEffect, nowMs: number): void {
  if (effect.binding === null) tables.bindings.removeAt(effect.address);
  else tables.bindings.write(effect.binding, nowMs);
  tables.timers.end(effect.endTimers);
  tables.timers.arm(effect.timers, nowMs);
}

export function runBind(tables: Tables, step: BindStep, nowMs: number): StepResults["bind"] {
  if (!tables.timers.stands(step.timer)) return { status: "already" };
  const obstacle = findBindObstacle(tables, step);
  if (obstacle?.status === "refused") return obstacle;
  tables.timers.settle(step.timer);
  if (obstacle !== undefined) return obstacle;
  writeBinding(tables, step, nowMs);
  return { status: "done" };
}

export function runSetTimers(tables: Tables, step: SetTimersStep, nowMs: number): StepResults["set_timers"] {
  tables.timers.settle(step.fired);
  tables.timers.end(step.end);
  tables.timers.arm(step.arm, nowMs);
  tables.deliveries.insertAll(step.deliveries ?? [], nowMs);
  return { status: "done" };
}
