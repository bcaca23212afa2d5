/** What came in while the process stood still is read in this time, before anything is called missing. */
const CATCH_UP_MS = 250;
/** Shorter waits are pauses, no limits. */
const SHORTEST_LIMIT_MS = 1_000;

/**
 * Calls back once, after the time; answers what cancels it. A process that stood still, as in a laptop that slept, finds
 * all its time limits over and the answers it waited for lying in its sockets: so the last of a long wait is always
 * awake, and such a limit is looked at a second time before it counts.
 */
export function startTimer(delayMs: number, callback: () => void): () => void {
  const isLimit = delayMs >= SHORTEST_LIMIT_MS;
  const arm = (afterMs: number, then: () => void) => setTimeout(then, afterMs).unref();
  const wait = () => {
    timer = arm(CATCH_UP_MS, callback);
  };
  let timer = isLimit ? arm(delayMs - CATCH_UP_MS, wait) : arm(delayMs, callback);
  return () => clearTimeout(timer);
}
