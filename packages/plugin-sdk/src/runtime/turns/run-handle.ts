import type { Log } from "../../port/log.ts";
import type { RunHandle, TurnInput, TurnMessage } from "../agent-runtime.ts";
import { EventedTurn, type TurnProgram } from "./live-turn.ts";
import { type TurnEnd, TurnEvents } from "./turn-events.ts";

/** A run that its session can ask whether another one may begin. */
export interface LiveRun extends RunHandle {
  isLive(): boolean;
}

export interface RunOptions {
  readonly log: Log;
  /** The number of the first call; for a program that goes on behind what earlier attempts committed. Default 0. */
  readonly firstOrdinal?: number;
  /** Asked while the turn is live; without it every message is returned. Must settle when the turn ends. */
  readonly steer?: (message: TurnMessage) => Promise<"delivered" | "returned">;
  /** Called once with how the turn ended, before the reader can know. */
  readonly onEnd?: (end: TurnEnd) => void;
}

/** Starts a program on a turn and makes its handle: whatever the program does, there is one end and nothing after it. */
export function createRunHandle(input: TurnInput, program: TurnProgram, options: RunOptions): LiveRun {
  const events = new TurnEvents();
  const turn = new EventedTurn(input, events, options.firstOrdinal ?? 0);
  const rest = runToEnd(turn, events, program, options);
  return {
    events: { [Symbol.asyncIterator]: () => events.read() },
    isLive: () => !events.isEnded,
    async steer(message) {
      if (events.isEnded || turn.signal.aborted || options.steer === undefined) return "returned";
      return options.steer(message);
    },
    abort(reason) {
      turn.interrupt(reason);
      return rest;
    },
  };
}

async function runToEnd(
  turn: EventedTurn,
  events: TurnEvents,
  program: TurnProgram,
  options: RunOptions,
): Promise<void> {
  // The caller gets the handle before the program's first step.
  await Promise.resolve();
  const end = await endOf(turn, program, options.log);
  const told: TurnEnd = { ...end, ...turn.report };
  options.onEnd?.(told);
  events.end(told);
}

async function endOf(turn: EventedTurn, program: TurnProgram, log: Log): Promise<TurnEnd> {
  try {
    const end = turn.signal.aborted ? undefined : await program(turn);
    return turn.signal.aborted || end === undefined ? { reason: "stopped" } : end;
  } catch (cause) {
    if (turn.signal.aborted) return { reason: "stopped" };
    log.error({ turnId: turn.input.turnId, err: cause }, "The program that answers a turn failed.");
    return { reason: "error", error: { isRetryable: false, message: "The agent's program failed; the log says why." } };
  }
}
