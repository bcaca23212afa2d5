import type { Clock } from "@banyan/emulator-kit";

/** Telegram takes one setWebhook a second from a bot. */
const PAUSE_MS = 1_000;
/** How long the look-up of an address takes here. */
const VERIFICATION_MS = 1_500;

/** The setWebhook calls of one bot, where the server is strict about them. */
export class WebhookSetting {
  readonly #clock: Clock;
  #nextMs = 0;
  #terminate: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the second since the last one is over; begins the next one then. */
  mayBegin(): boolean {
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = nowMs + PAUSE_MS;
    return true;
  }

  /** Resolves when the address is verified, with false when another call came meanwhile. */
  verified(): Promise<boolean> {
    this.#terminate();
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(VERIFICATION_MS, () => resolve(true));
      this.#terminate = () => {
        cancel();
        resolve(false);
      };
    });
  }
}
