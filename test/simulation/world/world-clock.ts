import { Agenda } from "./agenda.ts";

/** Where the wall clock stands when a world begins: any time will do. */
const BEGIN_MS = Date.UTC(2026, 0, 1);

/** A world's time. It moves only from one appointment to the next; the wall clock may be set, durations go on. */
export class WorldClock {
  readonly #agenda = new Agenda();
  #elapsedMs = 0;
  #setByMs = 0;
  /** How often the wall clock was set. */
  jumps = 0;

  now(): number {
    return Math.floor(BEGIN_MS + this.#elapsedMs + this.#setByMs);
  }

  /** What a platform's clock shows, which nobody sets. */
  platformNow(): number {
    return Math.floor(BEGIN_MS + this.#elapsedMs);
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  schedule(delayMs: number, run: () => void): () => void {
    return this.#agenda.add(this.#elapsedMs + Math.max(0, delayMs), run);
  }

  jump(byMs: number): void {
    this.#setByMs += byMs;
    this.jumps += 1;
  }

  /** Lets happen what comes next, unless it lies behind `untilMs`. Whether something happened. */
  step(untilMs: number): boolean {
    const { nextMs } = this.#agenda;
    if (nextMs === undefined || nextMs > untilMs) {
      this.#elapsedMs = Math.max(this.#elapsedMs, untilMs);
      return false;
    }
    const next = this.#agenda.take();
    if (next === undefined) return false;
    this.#elapsedMs = Math.max(this.#elapsedMs, next.atMs);
    next.run();
    return true;
  }
}
