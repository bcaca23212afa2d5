import type { Clock } from "./clock.ts";

/** A clock that can be put forward by hand while it runs on by itself, also from another process. */
export interface ShiftedClock extends Clock {
  /** Runs what falls due, in the order of its times. */
  passTime(byMs: number): void;
  /** Nothing that was scheduled runs any more. */
  close(): void;
}

export function createShiftedClock(inner: Clock): ShiftedClock {
  let shiftMs = 0;
  const alarms = new Set<{ readonly dueMs: number; readonly run: () => void; readonly cancel: () => void }>();
  const nowMs = (): number => inner.nowMs() + shiftMs;

  return {
    nowMs,
    schedule(delayMs, run) {
      const alarm = {
        dueMs: nowMs() + delayMs,
        run: () => {
          cancel();
          run();
        },
        cancel: () => cancel(),
      };
      const cancelInner = inner.schedule(delayMs, () => alarm.run());
      const cancel = (): void => {
        alarms.delete(alarm);
        cancelInner();
      };
      alarms.add(alarm);
      return cancel;
    },
    close() {
      for (const { cancel } of [...alarms]) cancel();
    },
    passTime(byMs) {
      shiftMs += byMs;
      const due = [...alarms].filter(({ dueMs }) => dueMs <= nowMs());
      for (const alarm of due.sort((a, b) => a.dueMs - b.dueMs)) if (alarms.has(alarm)) alarm.run();
    },
  };
}
