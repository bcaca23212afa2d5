/** Time as a port, so that a simulation can own it. */
export interface Clock {
  /** Milliseconds since the epoch. May jump in either direction; never measure with it. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary start; for durations. */
  monotonic(): number;
  /** Calls back once after `delayMs`, never early; the disposer cancels. Does not keep a process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
}
