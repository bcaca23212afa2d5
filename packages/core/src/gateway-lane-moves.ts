import type { Log } from "@banyan/plugin-sdk";
import type { Inbound } from "./inbound/inbound.ts";
import type { LaneScheduler } from "./lanes/lane-scheduler.ts";
import type { SessionCache } from "./sessions/session-cache.ts";
import type { Turns } from "./turns/turns.ts";

export interface LaneMoveParts {
  readonly cache: SessionCache;
  readonly turns: Pick<Turns, "stop">;
  readonly lanes: Pick<LaneScheduler, "wake">;
  readonly inbound: Pick<Inbound, "resume">;
  readonly log: Log;
}

export type LaneMove = { readonly from: string; readonly to: string };

/** Called when lanes have other keys in the store. Their turns are fenced off there; here they stop, and begin anew. */
export function createLaneMover(parts: LaneMoveParts): (moves: readonly LaneMove[]) => Promise<void> {
  const { cache, inbound } = parts;
  return async (moves) => {
    if (moves.length === 0) return;
    for (const { from, to } of moves) {
      cache.forget(from);
      cache.forget(to);
    }
    // A runtime may take its time to stop, and whoever told of the move waits for its end.
    for (const move of moves) void restart(move, parts);
    await inbound.resume();
  };
}

async function restart({ from, to }: LaneMove, { turns, lanes, log }: LaneMoveParts): Promise<void> {
  try {
    await turns.stop(from);
  } catch (error) {
    log.warn({ err: error, lane: from }, "a turn of a moved session did not stop in order");
  }
  lanes.wake(to);
}
