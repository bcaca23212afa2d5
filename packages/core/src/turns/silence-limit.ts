import type { Clock } from "@banyan/plugin-sdk";

export interface SilenceLimitParts {
  readonly clock: Pick<Clock, "monotonic" | "schedule">;
  readonly limitMs: number;
  /** For how long a tool counts as at work that the agent runs by itself and reports nothing of. */
  readonly longestWorkMs: number;
  /** Called at most once. */
  onSilence(): void;
}

/** Calls back when a turn has given no sign of life for too long. Time in which `during` works does not count. */
export class SilenceLimit {
  readonly #parts: SilenceLimitParts;
  #heardAtMs: number;
  #worksUntilMs = 0;
  #working = 0;
  #cancel: () => void;

  constructor(parts: SilenceLimitParts) {
    this.#parts = parts;
    this.#heardAtMs = parts.clock.monotonic();
    this.#cancel = this.#schedule(parts.limitMs);
  }

  /** A sign of life. Cheap: no timer is set for it. */
  hear(): void {
    this.#heardAtMs = this.#parts.clock.monotonic();
  }

  /** The agent reports that a tool of its own runs, or that none does any more. */
  noteWork(isWorking: boolean): void {
    const nowMs = this.#parts.clock.monotonic();
    this.#worksUntilMs = isWorking ? nowMs + this.#parts.longestWorkMs : nowMs;
  }

  /** Resolves or rejects as the work does. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.hear();
    }
  }

  close(): void {
    this.#cancel();
  }

  #schedule(afterMs: number): () => void {
    return this.#parts.clock.schedule(afterMs, () => this.#look());
  }

  #look(): void {
    const { clock, limitMs, onSilence } = this.#parts;
    if (this.#working > 0) this.hear();
    const nowMs = clock.monotonic();
    // Not later than now: a tool may end before its time is over.
    const silentSinceMs = Math.max(this.#heardAtMs, Math.min(this.#worksUntilMs, nowMs));
    const leftMs = silentSinceMs + limitMs - nowMs;
    if (leftMs <= 0) onSilence();
    else this.#cancel = this.#schedule(leftMs);
  }
}
