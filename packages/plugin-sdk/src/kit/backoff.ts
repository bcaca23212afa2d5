/** In milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly limitMs: number;
}

/** A blip is over soon; a dead network is asked twice a minute. */
const NETWORK_BACKOFF: Backoff = { firstMs: 500, limitMs: 30_000 };

/**
 * Doubles with each failure up to the limit; half of it is chance, so that accounts do not return all at once. `random`
 * is from 0 to below 1, `failures` counts those in a row before this one.
 */
export function decideBackoffMs(failures: number, random: number, backoff: Backoff = NETWORK_BACKOFF): number {
  const fullMs = Math.min(backoff.limitMs, backoff.firstMs * 2 ** Math.min(failures, 30));
  return Math.round(fullMs * (0.5 + random / 2));
}
