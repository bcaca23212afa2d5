import { isDeepStrictEqual } from "node:util";
import type { ToolTurn } from "@banyan/mcp-tools";
import type { CommittedToolCall } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";

/** The number of a turn's first call that is new. */
export function findFirstOrdinal(committed: readonly CommittedToolCall[]): number {
  return Math.max(-1, ...committed.map(({ ordinal }) => ordinal)) + 1;
}

/**
 * A turn's calls, one after the other, so that they are numbered without a gap. An agent that was cut off calls again what it
 * had no answer to: a call like one that an earlier attempt committed has that one's result, once, and no second effect.
 */
export function createTurnTools(turn: LiveTurn): ToolTurn {
  const earlier = [...turn.input.committedCalls];
  let last: Promise<unknown> = Promise.resolve();
  const make = async (name: string, args: unknown) => {
    turn.signal.throwIfAborted();
    const at = earlier.findIndex((call) => call.name === name && isDeepStrictEqual(call.args, args));
    const [known] = at < 0 ? [] : earlier.splice(at, 1);
    return known?.result ?? turn.callTool(name, args);
  };
  return {
    call(name, args) {
      const call = last.then(() => make(name, args));
      // One that failed keeps none behind it from being made.
      last = Promise.allSettled([call]);
      return call;
    },
  };
}
