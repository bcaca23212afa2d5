import type { BindingRow, TimerRow } from "@banyan/store";
import { type BindingTimerKind, buildBindingTimerId } from "../../bindings/binding-timer.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import { buildThreadClosing } from "../../runs/thread-timer.ts";
import { parseSessionRow } from "../../sessions/session-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { asFired, endTimer, rearmTimer } from "./due-timer.ts";

/** A place that leads to a child has been quiet for long enough, or is old enough: it is its own again. */
export async function expireBinding(timer: TimerRow, kind: BindingTimerKind, parts: SubagentParts): Promise<void> {
  const { store, ports, signal } = parts;
  const { bindings } = await store.read.routes();
  const binding = bindings.find(({ id }) => id === timer.subject);
  if (binding === undefined) return endTimer(timer, parts);
  const now = ports.clock.now();
  const dueAtMs = kind === "binding-age" ? findAgeEnd(binding) : await findIdleEnd(binding, now, parts);
  // Its rules were changed.
  if (dueAtMs === undefined) return endTimer(timer, parts);
  if (dueAtMs > now) return rearmTimer(timer, dueAtMs - now, parts);
  const { id, address } = binding;
  ports.faultPoint("unbind.before");
  const { status } = await commitPatiently(
    store,
    {
      step: "bind",
      address,
      binding: null,
      bindingId: id,
      timers: binding.kind === "thread" ? [buildThreadClosing(binding, undefined)] : [],
      endTimers: [buildBindingTimerId(kind === "binding-age" ? "binding-idle" : "binding-age", id)],
      timer: asFired(timer),
    },
    ports,
    signal,
  );
  ports.faultPoint("unbind.after");
  if (status === "done")
    ports.log.info({ address, session: binding.sessionKey, kind }, "a place does not lead to its sub-agent any more");
  await parts.refreshRoutes();
  parts.wakeTimers();
}

function findAgeEnd({ createdAtMs, maxAgeMs }: BindingRow): number | undefined {
  return maxAgeMs === undefined ? undefined : createdAtMs + maxAgeMs;
}

/** Whatever the session did or got last, and what it is at now, counts. */
async function findIdleEnd(
  { sessionKey, createdAtMs, idleMs }: BindingRow,
  now: number,
  { store }: SubagentParts,
): Promise<number | undefined> {
  if (idleMs === undefined) return undefined;
  const [row, lane] = await Promise.all([store.read.session(sessionKey), store.read.lane(sessionKey)]);
  if (lane.active.length > 0 || lane.waiting > 0) return now + idleMs;
  const { updatedAt = 0, lastInteractionAt = 0 } = row === undefined ? {} : parseSessionRow(row).entry;
  return Math.max(createdAtMs, updatedAt, lastInteractionAt) + idleMs;
}
