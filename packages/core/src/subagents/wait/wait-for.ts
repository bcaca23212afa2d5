import type { Clock } from "@banyan/plugin-sdk";
import { pause } from "../../ports/pause.ts";

/** How often is looked without a sign: what another process ends gives none here. */
const POLL_MS = 2_000;

export interface WaitSpec {
  readonly timeoutMs: number;
  /** Ends the waiting early. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Calls `wake` whenever it may be worth a look; answers what ends that. */
  readonly listen: (wake: () => undefined) => () => void;
}

/** Looks until it finds something: at once, at each sign, and now and then. `undefined`: the time is over. */
export async function waitFor<Found>(
  look: () => Promise<Found | undefined>,
  { timeoutMs, signal, clock, listen }: WaitSpec,
): Promise<Found | undefined> {
  const until = clock.monotonic() + timeoutMs;
  let sign = Promise.withResolvers<undefined>();
  const unlisten = listen(() => void sign.resolve(undefined));
  try {
    for (;;) {
      // Before the look: what happens during it is not missed.
      sign = Promise.withResolvers();
      const found = await look();
      if (found !== undefined) return found;
      const leftMs = until - clock.monotonic();
      if (leftMs <= 0 || signal.aborted) return undefined;
      const woken = new AbortController();
      await Promise.race([
        sign.promise,
        pause(clock, Math.min(leftMs, POLL_MS), AbortSignal.any([signal, woken.signal])),
      ]);
      woken.abort();
    }
  } finally {
    unlisten();
  }
}
