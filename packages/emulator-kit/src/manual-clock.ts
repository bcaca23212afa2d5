import type { Clock } from "./clock.ts";

/** A clock that stands still until a test moves it, so that a session that ends after minutes needs no minutes. */
export interface ManualClock extends Clock {
  /** Moves the time on and runs what falls due, in the order of its times. */
  advance(byMs: number): void;
}

export function createManualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  const alarms = new Set<{ atMs: number; run: () => void }>();

  return {
    nowMs: () => nowMs,
    schedule(delayMs, run) {
      const alarm = { atMs: nowMs + Math.max(0, delayMs), run };
      alarms.add(alarm);
      return () => {
        alarms.delete(alarm);
      };
    },
    advance(byMs) {
      const untilMs = nowMs + byMs;
      for (;;) {
        const [next] = [...alarms].filter((alarm) => alarm.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        alarms.delete(next);
        nowMs = next.atMs;
        next.run();
      }
      nowMs = untilMs;
    },
  };
}
