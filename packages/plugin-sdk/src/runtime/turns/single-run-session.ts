import type { RuntimeSession, TurnInput } from "../agent-runtime.ts";
import type { LiveRun } from "./run-handle.ts";

/** A session that refuses a second run while one is live, and any after it was closed: both are bugs of the caller. */
export function createSingleRunSession(start: (turn: TurnInput) => LiveRun): RuntimeSession {
  let current: LiveRun | undefined;
  let isClosed = false;
  return {
    run(turn) {
      if (isClosed) throw new Error(`Starting turn ${turn.turnId}: the session was closed; open another one.`);
      if (current?.isLive()) throw new Error(`Starting turn ${turn.turnId}: another turn is live; abort or await it.`);
      current = start(turn);
      return current;
    },
    async close() {
      isClosed = true;
      await current?.abort("the session was closed");
    },
  };
}
