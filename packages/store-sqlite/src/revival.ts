import type { Clock } from "@banyan/plugin-sdk";

/** Who dies again sooner than this after a death dies of the same thing: starting anew does not mend that. */
const HEALTHY_AFTER_MS = 600_000;

/** Asked at each death of a thread: whether it is started once more. */
export function createRevival(clock: Pick<Clock, "monotonic">): () => boolean {
  let lastDeathMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.monotonic();
    const isGranted = nowMs - lastDeathMs >= HEALTHY_AFTER_MS;
    lastDeathMs = nowMs;
    return isGranted;
  };
}
