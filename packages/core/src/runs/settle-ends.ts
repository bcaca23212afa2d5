import type { PreparedEnds } from "./prepare-ends.ts";
import type { RunParts } from "./run-parts.ts";
import { findSoonestMs } from "./run-timer.ts";
import { giveTurnsBack } from "./stopped-lane.ts";

/** The ends are written: the chat and the hooks are told, and the lanes that have something to do are woken. */
export function settleEnds(
  { effect, events, deliveries }: PreparedEnds,
  wakes: readonly string[],
  { outbox, hooks, ports, sessions, wakeLanes, wakeTimers }: RunParts,
): void {
  outbox.enqueue(deliveries);
  for (const { session } of effect.ends) if (session !== undefined) sessions.forget(session.key);
  for (const event of events) {
    const { runId, childSessionKey: session, completion } = event;
    ports.log.info({ runId, session, outcome: completion.outcome, durationMs: completion.durationMs }, "run ended");
    void hooks.subagent_ended.call(event);
  }
  wakeLanes(wakes);
  wakeTimers(findSoonestMs(effect.ends.flatMap(({ timers }) => timers)));
}

/** The lanes that may have something to do, for a repeat: that does not say which. */
export function listWokenLanes({ effect, events, stopped }: PreparedEnds): readonly string[] {
  const told = effect.ends.flatMap(({ completion }) => (completion === undefined ? [] : [completion.lane]));
  // Where what was held for them is set free.
  const waiting = events.map(({ requesterSessionKey }) => requesterSessionKey);
  return [...new Set([...told, ...waiting, ...stopped.map(({ lane }) => lane)])];
}

/** The ends are not written: what was stopped for them runs again. */
export async function abandonEnds({ deliveries, stopped }: PreparedEnds, parts: RunParts): Promise<void> {
  parts.outbox.release(deliveries);
  await giveTurnsBack(stopped, parts);
}
