/** The longest wait that an answer can ask for. */
const RETRY_AFTER_LIMIT_S = 3600;
/** Where the doubling ends: somewhere in this range, anew each time. */
const LONGEST_S = { least: 60, most: 120 } as const;

/** How long an update waits that was not taken; `failures` counts those before. `random` is from 0 to below 1. */
export function decideRetryDelayS(failures: number, retryAfterS: number, random: number): number {
  if (retryAfterS > 0) return Math.min(retryAfterS, RETRY_AFTER_LIMIT_S);
  const limitS = LONGEST_S.least + Math.floor(random * (LONGEST_S.most - LONGEST_S.least + 1));
  return Math.min(2 ** Math.min(failures, 30), limitS);
}
