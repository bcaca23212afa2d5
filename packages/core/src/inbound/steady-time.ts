import type { Clock } from "@banyan/plugin-sdk";

/** The wall clock of the start and the time since: one that is set meanwhile makes no message of now an old one. */
export function createSteadyTime(clock: Clock): () => number {
  const startMs = clock.now() - clock.monotonic();
  return () => startMs + clock.monotonic();
}
