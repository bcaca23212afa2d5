import type { Clock } from "@banyan/plugin-sdk";

/** Resolves after the time, or at once when the signal aborts. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.schedule(delayMs, end);
    signal.addEventListener("abort", end, { once: true });
  });
}
