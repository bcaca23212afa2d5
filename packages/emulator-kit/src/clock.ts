/** Where the emulated platform gets its time: ids, dates, deadlines, windows of limits and the record. */
export interface Clock {
  /** Milliseconds since 1970. Never falls within one clock. */
  nowMs(): number;
  /** Runs `run` once after `delayMs`; the returned function cancels it and may be called late or twice. */
  schedule(delayMs: number, run: () => void): () => void;
}

export function createSystemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    schedule: (delayMs, run) => {
      // A thread that closes by itself in a week must not hold the process.
      const timer = setTimeout(run, delayMs).unref();
      return () => clearTimeout(timer);
    },
  };
}
