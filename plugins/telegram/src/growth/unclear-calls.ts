import type { Clock } from "@banyan/plugin-sdk";

/** So long a call whose answer was lost may still reach Telegram; nothing there says in which order calls are made. */
const LATE_MS = 20_000;

/** Calls on the messages of growing answers that ended without an answer: each may be made yet, after later ones. */
export class UnclearCalls {
  readonly #clock: Clock;
  /** By turn, until when, in milliseconds of the monotonic clock. */
  readonly #openUntil = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(turnId: string): void {
    const now = this.#clock.monotonic();
    // A turn whose answer never comes asks for its own no more.
    for (const [known, until] of this.#openUntil) if (until <= now) this.#openUntil.delete(known);
    this.#openUntil.set(turnId, now + LATE_MS);
  }

  mayComeYet(turnId: string): boolean {
    return (this.#openUntil.get(turnId) ?? 0) > this.#clock.monotonic();
  }
}
