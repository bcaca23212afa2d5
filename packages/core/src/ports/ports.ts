import { randomBytes, randomUUID } from "node:crypto";
import type { Clock, FaultPoint, Log } from "@banyan/plugin-sdk";
import { startTimer } from "./timer.ts";

const TIME_DIGITS = 9;
const COUNT_DIGITS = 4;
const COUNTS = 36 ** COUNT_DIGITS;
const RANDOM_BYTES = 5;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Everything that core needs from outside besides the store. An embedding program or a simulation passes other ones. */
export interface Ports {
  readonly clock: Clock;
  /** A new id, always unique. Later ones are greater. For rows. */
  readonly createId: () => string;
  /** A random uuid. For sessions, whose file names show the first eight characters, and for owners. */
  readonly createUuid: () => string;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Bytes that cannot be guessed. For codes that give access. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Log;
  /** Removes registered secrets from a text that is shown or stored. */
  readonly scrub: (text: string) => string;
  /** Returns how many characters at the end of a growing text may be the beginning of a registered secret. */
  readonly holdBack: (text: string) => number;
  readonly faultPoint: FaultPoint;
}

/** Creates the ports of this machine. `parts` replaces some of them. */
export function createPorts(parts: Partial<Ports> & Pick<Ports, "log">): Ports {
  const clock = parts.clock ?? createSystemClock();
  return {
    clock,
    createId: createIdMaker(() => clock.now()),
    createUuid: () => randomUUID(),
    random: Math.random,
    randomBytes: (count) => randomBytes(count),
    scrub: (text) => text,
    holdBack: () => 0,
    faultPoint: () => undefined,
    ...parts,
  };
}

/**
 * Creates a maker of ids that are always unique and grow with time, so that a store appends to its indexes: milliseconds, a
 * count, and a random tail for each maker. `a-z0-9`, 21 characters.
 */
export function createIdMaker(now: () => number): () => string {
  const tail = parseInt(randomBytes(RANDOM_BYTES).toString("hex"), 16).toString(36).padStart(8, "0");
  let lastMs = 0;
  let count = 0;
  return () => {
    const ms = now();
    // While the clock does not advance, or is set back, the count grows within the latest millisecond.
    if (ms > lastMs) {
      lastMs = ms;
      count = 0;
    } else count += 1;
    if (count === COUNTS) {
      lastMs += 1;
      count = 0;
    }
    return `${lastMs.toString(36).padStart(TIME_DIGITS, "0")}${count.toString(36).padStart(COUNT_DIGITS, "0")}${tail}`;
  };
}

/** Creates the clock of this machine. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    schedule: (delayMs, callback) => startTimer(Math.min(Math.max(0, delayMs), MAX_TIMER_MS), callback),
  };
}
