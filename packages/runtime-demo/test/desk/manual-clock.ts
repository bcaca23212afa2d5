import type { Clock } from "@banyan/plugin-sdk";

/** A clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #timers: { dueAt: number; callback: () => void }[] = [];
  #scheduled: PromiseWithResolvers<void> = Promise.withResolvers();

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueAt: this.#nowMs + delayMs, callback };
    this.#timers.push(timer);
    this.#scheduled.resolve();
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get waiting(): number {
    return this.#timers.length;
  }

  /** Resolves when somebody waits for a timer. */
  async whenWaiting(): Promise<void> {
    if (this.#timers.length > 0) return;
    this.#scheduled = Promise.withResolvers();
    await this.#scheduled.promise;
  }

  /** Moves on and fires what is due, in order of time. */
  advance(byMs: number): void {
    this.#nowMs += byMs;
    const due = this.#timers.filter(({ dueAt }) => dueAt <= this.#nowMs).sort((a, b) => a.dueAt - b.dueAt);
    this.#timers = this.#timers.filter(({ dueAt }) => dueAt > this.#nowMs);
    for (const { callback } of due) callback();
  }
}
