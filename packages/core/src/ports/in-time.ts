import type { Clock } from "@banyan/plugin-sdk";

/** What has not come to its end in time. */
export const LATE: unique symbol = Symbol("late");

/**
 * How the work ends, or `LATE` where it has not by then, or when the signal aborts. Rejects as the work does. What is late
 * goes on, and its end is the caller's to look after.
 */
export async function inTime<Result>(
  work: Promise<Result>,
  limitMs: number,
  clock: Pick<Clock, "schedule">,
  signal?: AbortSignal,
): Promise<Result | typeof LATE> {
  const limit = Promise.withResolvers<typeof LATE>();
  const end = () => limit.resolve(LATE);
  const cancel = clock.schedule(limitMs, end);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  try {
    return await Promise.race([work, limit.promise]);
  } finally {
    cancel();
    signal?.removeEventListener("abort", end);
  }
}
