/** Where the emulated platform gets its time: long polls, delays, message dates and the record. */
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
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  };
}
