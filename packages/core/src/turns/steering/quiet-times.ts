import type { Clock } from "@banyan/plugin-sdk";

/** However much is said, a turn begins after so many quiet times. */
const MOST_QUIETS = 10;

interface Quiet {
  readonly lengthMs: number;
  /** By the monotonic clock. */
  untilMs: number;
  readonly latestMs: number;
}

/** Lanes in which nothing begins for a while, because more may be said. */
export class QuietTimes {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #quiets = new Map<string, Quiet>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Something was said while a turn of the lane runs. */
  begin(lane: string, lengthMs: number): void {
    const now = this.#clock.monotonic();
    this.#quiets.set(lane, { lengthMs, untilMs: now + lengthMs, latestMs: now + MOST_QUIETS * lengthMs });
  }

  /** Something was said in the quiet time itself. */
  extend(lane: string): void {
    const quiet = this.#quiets.get(lane);
    if (quiet === undefined) return;
    quiet.untilMs = Math.min(this.#clock.monotonic() + quiet.lengthMs, quiet.latestMs);
  }

  /** How long it still lasts, in milliseconds. One that is over is forgotten. */
  measure(lane: string): number {
    const quiet = this.#quiets.get(lane);
    if (quiet === undefined) return 0;
    const leftMs = Math.ceil(quiet.untilMs - this.#clock.monotonic());
    if (leftMs <= 0) this.#quiets.delete(lane);
    return Math.max(0, leftMs);
  }
}
