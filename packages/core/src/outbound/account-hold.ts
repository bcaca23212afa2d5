import type { Clock } from "@banyan/plugin-sdk";

/** Rate limits of a whole account that run now. It waits for the longest. */
export class AccountHold {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #untilMs = 0;

  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** How long nothing may be sent; 0 when something may. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.monotonic());
  }

  begin(delayMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, this.#clock.monotonic() + delayMs);
    this.#wait(delayMs);
  }

  /** A timer may ring a fraction of a millisecond early; then nobody would ever go on. */
  #wait(delayMs: number): void {
    this.#clock.schedule(delayMs, () => {
      if (this.leftMs > 0) this.#wait(this.leftMs);
      else this.#onEnd();
    });
  }
}
