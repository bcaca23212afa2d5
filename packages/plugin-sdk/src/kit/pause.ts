import type { Clock } from "../port/clock.ts";

/** Resolves after `delayMs`, or at once when the signal aborts; the caller looks at the signal again. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      cancel();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.schedule(delayMs, finish);
    signal.addEventListener("abort", finish);
  });
}

/** The outcome of `work`, or a rejection as soon as the signal aborts; then the outcome is left to itself. */
export function settleUnlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
