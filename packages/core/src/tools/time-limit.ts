import type { Clock } from "@banyan/plugin-sdk";

export type TimedEnd<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "threw"; readonly thrown: unknown }
  | { readonly kind: "timeout" | "stopped" };

/**
 * Runs something until it ends, the time is over, or `stop` aborts, whichever is first. What it does afterwards is
 * ignored; its own signal tells it to leave.
 */
export function runWithinTime<T>(
  clock: Clock,
  timeoutMs: number,
  stop: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<TimedEnd<T>> {
  const leave = new AbortController();
  return new Promise<TimedEnd<T>>((resolve) => {
    const settle = (end: TimedEnd<T>) => {
      cancel();
      stop.removeEventListener("abort", onStop);
      resolve(end);
      leave.abort();
    };
    const onStop = () => settle({ kind: "stopped" });
    const cancel = clock.schedule(timeoutMs, () => settle({ kind: "timeout" }));
    stop.addEventListener("abort", onStop, { once: true });
    if (stop.aborted) return onStop();
    const running = async () => run(leave.signal);
    running().then(
      (value) => settle({ kind: "done", value }),
      (thrown: unknown) => settle({ kind: "threw", thrown }),
    );
  });
}
