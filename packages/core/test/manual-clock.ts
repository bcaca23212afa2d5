import type { Clock } from "@banyan/plugin-sdk";

/** Time that stands still until the test moves it. Wall clock and durations may be moved apart. */
export class ManualClock implements Clock {
  #elapsedMs = 0;
  #jumpedMs = 1_000_000;
  #timers: { readonly due: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#jumpedMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { due: this.#elapsedMs + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** The wall clock alone jumps, in either direction. */
  jump(byMs: number): void {
    this.#jumpedMs += byMs;
  }

  /** Fires what becomes due, in order of time; what is begun by it has come to rest when this resolves. */
  async advance(byMs: number): Promise<void> {
    const end = this.#elapsedMs + byMs;
    await quiet();
    for (let next = this.#takeDue(end); next !== undefined; next = this.#takeDue(end)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, next.due);
      next.callback();
      await quiet();
    }
    this.#elapsedMs = end;
  }

  #takeDue(end: number): { readonly due: number; readonly callback: () => void } | undefined {
    const [first] = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
    this.#timers = this.#timers.filter((other) => other !== first);
    return first;
  }
}

/** Resolves when everything that needs no time and no network has happened. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
