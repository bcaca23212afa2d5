import type { BindEffect, BindStep, Refused, SetTimersStep, StepResults } from "@banyan/plugin-sdk/store";
import { removeBinding, standsBound, writeBinding } from "../tables/binding-table.ts";
import { writeDeliveries } from "../tables/delivery-table.ts";
import { standsOpen } from "../tables/session-table.ts";
import type { Tables } from "../tables/tables.ts";
import { removeFired, standsArmed, writeTimers } from "../tables/timer-table.ts";

export function applyBind(tables: Tables, step: BindStep, nowMs: number): StepResults["bind"] {
  if (!standsArmed(tables, step.timer)) return { status: "already" };
  if (standsBound(tables, step)) {
    removeFired(tables, step.timer);
    return { status: "already" };
  }
  const refusal = findBindRefusal(tables, step);
  if (refusal) return refusal;
  removeFired(tables, step.timer);
  applyBindEffect(tables, step, nowMs);
  return { status: "done" };
}

/** Looked at before the first write of the step that carries the effect. */
export function findBindRefusal(tables: Tables, effect: BindEffect): Refused | undefined {
  const { address, binding } = effect;
  if (binding === null) {
    const isOther = tables.runs.bindings.has(address) && standsBound(tables, effect);
    return isOther ? { status: "refused", reason: "conflict" } : undefined;
  }
  if (standsBound(tables, effect)) return undefined;
  return standsOpen(tables, binding.sessionKey) ? undefined : { status: "refused", reason: "no_session" };
}

export function applyBindEffect(tables: Tables, effect: BindEffect, nowMs: number): void {
  const { address, binding, timers, endTimers } = effect;
  if (standsBound(tables, effect)) return;
  if (binding === null) removeBinding(tables, address);
  else writeBinding(tables, binding, nowMs);
  writeTimers(tables, timers, endTimers, nowMs);
}

export function applySetTimers(tables: Tables, step: SetTimersStep, nowMs: number): StepResults["set_timers"] {
  removeFired(tables, step.fired);
  writeTimers(tables, step.arm, step.end, nowMs);
  writeDeliveries(tables, step.deliveries ?? [], nowMs);
  return { status: "done" };
}
