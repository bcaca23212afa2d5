/** So late no busy process is: it stood still, as in a laptop that slept. */
const STANDSTILL_MS = 1_000;
/** What came in meanwhile is read in this time, before anything is called missing. */
const CATCH_UP_MS = 250;

/**
 * Calls back once, after the time; answers what cancels it. A process that stood still finds all its time limits over
 * and the answers it waited for lying in its sockets: such a limit is looked at a second time before it counts.
 */
export function startTimer(delayMs: number, callback: () => void): () => void {
  const dueMs = performance.now() + delayMs;
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < STANDSTILL_MS) callback();
    else timer = setTimeout(callback, CATCH_UP_MS).unref();
  }, delayMs).unref();
  return () => clearTimeout(timer);
}
