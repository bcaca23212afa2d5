import { createPorts, type Ports } from "@banyan/core";

type Clock = Ports["clock"];

const MUTE: Ports["log"] = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The machine's time, on which every wait is over `times` sooner: backoffs and grace times cost a test nothing. */
export function createHurriedClock(times: number): Clock {
  const { clock } = createPorts({ log: MUTE });
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() * times,
    schedule: (delayMs, callback) => clock.schedule(delayMs / times, callback),
  };
}

/** A clock whose waits are over when the test says so, and never by themselves. */
export interface StandingClock extends Clock {
  /** Moves on, and ends the waits that fall due, in the order of their times. */
  advance(byMs: number): void;
  /** Sets the wall clock alone, in either direction. */
  jump(byMs: number): void;
  /** How long the waits under way still last, in milliseconds, ascending. */
  readonly waits: readonly number[];
}

export function createStandingClock(): StandingClock {
  const startedAt = Date.now();
  const alarms = new Set<{ readonly atMs: number; readonly ring: () => void }>();
  let passedMs = 0;
  let jumpedMs = 0;
  return {
    now: () => startedAt + jumpedMs + passedMs,
    monotonic: () => passedMs,
    schedule(delayMs, ring) {
      const alarm = { atMs: passedMs + delayMs, ring };
      alarms.add(alarm);
      return () => void alarms.delete(alarm);
    },
    jump(byMs) {
      jumpedMs += byMs;
    },
    get waits() {
      return [...alarms].map(({ atMs }) => atMs - passedMs).toSorted((one, other) => one - other);
    },
    advance(byMs) {
      const untilMs = passedMs + byMs;
      for (;;) {
        const [next] = [...alarms].filter(({ atMs }) => atMs <= untilMs).toSorted((one, two) => one.atMs - two.atMs);
        if (next === undefined) break;
        alarms.delete(next);
        passedMs = next.atMs;
        next.ring();
      }
      passedMs = untilMs;
    },
  };
}
