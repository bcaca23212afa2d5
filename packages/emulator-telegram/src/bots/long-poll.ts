import type { Clock } from "@banyan/emulator-kit";

export type PollEnd = "updates" | "timeout" | "conflict" | "webhook" | "gone";

/** Conflicts are told at most once in this time at once; the others wait for it. */
const CONFLICT_PAUSE_MS = 3000;

/** The one getUpdates call of a bot that waits for updates. */
export class LongPoll {
  readonly #clock: Clock;
  #settle: ((end: PollEnd) => void) | undefined;
  #woken = false;
  #nextConflictMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isWaiting(): boolean {
    return this.#settle !== undefined;
  }

  /** Resolves with why the wait is over. The caller has ended an earlier wait before. */
  wait(timeoutMs: number, onGone: (run: () => void) => void): Promise<PollEnd> {
    return new Promise((resolve) => {
      const settle = (end: PollEnd): void => {
        if (this.#settle === settle) this.#settle = undefined;
        cancel();
        resolve(end);
      };
      const cancel = this.#clock.schedule(timeoutMs, () => settle("timeout"));
      onGone(() => settle("gone"));
      this.#settle = settle;
    });
  }

  /** In a microtask, so that what is said in one go is given in one answer. */
  wake(): void {
    if (this.#settle === undefined || this.#woken) return;
    this.#woken = true;
    queueMicrotask(() => {
      this.#woken = false;
      this.#settle?.("updates");
    });
  }

  terminate(end: "conflict" | "webhook" = "conflict"): void {
    this.#settle?.(end);
  }

  /** Resolves when the poller that lost may be told: at once, but soon after another one only 3 s later. */
  async awaitConflictAnswer(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    if (nowMs >= this.#nextConflictMs) {
      this.#nextConflictMs = nowMs + CONFLICT_PAUSE_MS;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#clock.schedule(CONFLICT_PAUSE_MS, resolve);
    });
  }
}
