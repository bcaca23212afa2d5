import type { Clock } from "../port/clock.ts";

interface Alarm {
  readonly atMs: number;
  readonly delayMs: number;
  readonly callback: () => void;
}

/** When a manual clock begins, in milliseconds since the epoch. */
export const STARTED_AT = 1_770_000_000_000;

/** For tests: a clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  readonly pending: number;
  /** Resolves with the delay of the oldest alarm, or of one of just this delay, now or as soon as there is one. */
  awaitAlarm(delayMs?: number): Promise<number>;
  advance(byMs: number): void;
}

export function createManualClock(): ManualClock {
  let nowMs = 0;
  const alarms = new Set<Alarm>();
  let watchers: (() => void)[] = [];
  return {
    now: () => STARTED_AT + nowMs,
    monotonic: () => nowMs,
    schedule(delayMs, callback) {
      const alarm = { atMs: nowMs + delayMs, delayMs, callback };
      alarms.add(alarm);
      for (const look of watchers.splice(0)) look();
      return () => alarms.delete(alarm);
    },
    get pending() {
      return alarms.size;
    },
    awaitAlarm(wanted) {
      return new Promise((resolve) => {
        const look = (): void => {
          const found = [...alarms].find(({ delayMs }) => delayMs === (wanted ?? delayMs));
          if (found === undefined) watchers = [...watchers, look];
          else resolve(found.delayMs);
        };
        look();
      });
    },
    advance(byMs) {
      const untilMs = nowMs + byMs;
      for (const alarm of [...alarms].sort((a, b) => a.atMs - b.atMs)) {
        if (alarm.atMs > untilMs || !alarms.delete(alarm)) continue;
        nowMs = alarm.atMs;
        alarm.callback();
      }
      nowMs = untilMs;
    },
  };
}
