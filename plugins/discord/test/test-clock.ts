import type { Clock } from "@banyan/plugin-sdk";

/** This machine's clock, which goes on by itself, and can be put forward: what falls due is run then, in its order. */
export interface TestClock extends Clock {
  passTime(ms: number): void;
  /** Resolves when something is to happen after exactly this delay, now or as soon as it is. */
  awaitAlarm(delayMs: number): Promise<void>;
}

interface Alarm {
  readonly delayMs: number;
  readonly dueMs: number;
  readonly ring: () => void;
}

export function createTestClock(): TestClock {
  let shiftMs = 0;
  const alarms = new Set<Alarm>();
  let watchers: (() => void)[] = [];
  const monotonic = (): number => performance.now() + shiftMs;
  return {
    now: () => Date.now() + shiftMs,
    monotonic,
    schedule(delayMs, callback) {
      const timer = setTimeout(() => alarm.ring(), delayMs);
      timer.unref();
      const cancel = (): void => {
        clearTimeout(timer);
        alarms.delete(alarm);
      };
      const alarm: Alarm = {
        delayMs,
        dueMs: monotonic() + delayMs,
        ring: () => {
          cancel();
          callback();
        },
      };
      alarms.add(alarm);
      for (const look of watchers.splice(0)) look();
      return cancel;
    },
    awaitAlarm(delayMs) {
      return new Promise((resolve) => {
        const look = (): void => {
          if ([...alarms].some((alarm) => alarm.delayMs === delayMs)) resolve();
          else watchers = [...watchers, look];
        };
        look();
      });
    },
    passTime(ms) {
      shiftMs += ms;
      const due = [...alarms].filter(({ dueMs }) => dueMs <= monotonic());
      for (const alarm of due.toSorted((one, other) => one.dueMs - other.dueMs)) if (alarms.has(alarm)) alarm.ring();
    },
  };
}
