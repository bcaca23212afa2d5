import type { PreparedEnds } from "./prepare-ends.ts";
import type { RunParts } from "./run-parts.ts";
import { findSoonestMs } from "./run-timer.ts";
import { giveTurnsBack } from "./stopped-lane.ts";

/**
 * The ends are written: the chat and the hooks are told, and the lanes that have something to do are woken. `wakes`: which
 * the store says these are; `undefined` for a repeat, where it does not.
 */
export function settleEnds(
  prepared: PreparedEnds,
  wakes: readonly string[] | undefined,
  { outbox, hooks, ports, sessions, wakeLanes, wakeTimers }: RunParts,
): void {
  const { effect, events, deliveries } = prepared;
  outbox.enqueue(deliveries);
  for (const { session } of effect.ends) if (session !== undefined) sessions.forget(session.key);
  for (const event of events) {
    const { runId, childSessionKey: session, completion } = event;
    ports.log.info({ runId, session, outcome: completion.outcome, durationMs: completion.durationMs }, "run ended");
    void hooks.subagent_ended.call(event);
  }
  wakeLanes(wakes ?? listWokenLanes(prepared));
  // What its turn had asked somebody is withdrawn now.
  const isStopped = effect.ends.some(({ stop }) => stop !== undefined);
  wakeTimers(isStopped ? 0 : findSoonestMs(effect.ends.flatMap(({ timers }) => timers)));
}

/** The lanes that may have something to do. */
function listWokenLanes({ effect, events, stopped }: PreparedEnds): readonly string[] {
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
