import type { Clock } from "@banyan/plugin-sdk";

export interface ManualClock extends Clock {
  /** Lets time pass and rings what is due. */
  advance(ms: number): void;
}

/** Time that stands still until a test moves it. */
export function createManualClock(startMs = 1_700_000_000_000): ManualClock {
  let passedMs = 0;
  let alarms: { readonly atMs: number; readonly callback: () => void }[] = [];
  return {
    now: () => startMs + passedMs,
    monotonic: () => passedMs,
    schedule(delayMs, callback) {
      const alarm = { atMs: passedMs + delayMs, callback };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((other) => other !== alarm);
      };
    },
    advance(ms) {
      passedMs += ms;
      const due = alarms.filter(({ atMs }) => atMs <= passedMs);
      alarms = alarms.filter(({ atMs }) => atMs > passedMs);
      for (const { callback } of due) callback();
    },
  };
}
