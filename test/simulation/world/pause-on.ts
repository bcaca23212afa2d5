import type { Clock } from "@banyan/plugin-sdk";

/** Resolves after the time, or when the signal aborts. */
export function pauseOn(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(delayMs, resolve);
    signal.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
