import { quiet } from "../manual-clock.ts";

export interface LaneGate {
  turn(): Promise<void>;
  /** Resolves when all that stood before it has come to rest. */
  open(): Promise<void>;
}

/** A gate before which turns stand. */
export function createGate(): LaneGate {
  const gate = Promise.withResolvers<void>();
  return {
    turn: () => gate.promise,
    open: () => {
      gate.resolve();
      return quiet();
    },
  };
}
