import type { Clock } from "@banyan/plugin-sdk";

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #nowMs = 1_700_000_000_000;
  readonly #alarms = new Set<{ readonly atMs: number; readonly callback: () => void }>();

  get pending(): number {
    return this.#alarms.size;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const alarm = { atMs: this.#nowMs + delayMs, callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Rings everything due on the way, also what is set meanwhile. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const [next] = [...this.#alarms].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#alarms.delete(next);
      this.#nowMs = next.atMs;
      next.callback();
    }
    this.#nowMs = untilMs;
  }
}
