import type { BindingRow, NewTimer } from "@banyan/store";

/** What is due for a binding: nobody has written for so long, or it is so old. */
export type BindingTimerKind = "binding-idle" | "binding-age";

export function buildBindingTimerId(kind: BindingTimerKind, bindingId: string): string {
  return `${kind}|${bindingId}`;
}

/** The timers that may stand for a binding, whatever its times are. */
export function listBindingTimerIds(bindingId: string): readonly string[] {
  return [buildBindingTimerId("binding-idle", bindingId), buildBindingTimerId("binding-age", bindingId)];
}

/** The timers that end a binding. */
export function buildBindingTimers(
  bindingId: string,
  { idleMs, maxAgeMs }: Pick<BindingRow, "idleMs" | "maxAgeMs">,
): readonly NewTimer[] {
  const timer = (kind: BindingTimerKind, dueInMs: number | undefined): readonly NewTimer[] =>
    dueInMs === undefined ? [] : [{ id: buildBindingTimerId(kind, bindingId), kind, subject: bindingId, dueInMs }];
  return [...timer("binding-idle", idleMs), ...timer("binding-age", maxAgeMs)];
}
