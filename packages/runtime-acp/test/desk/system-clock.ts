import type { Clock } from "@banyan/plugin-sdk";

/** Real time: a process has no other. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    schedule(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
