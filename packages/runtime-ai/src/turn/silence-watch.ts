import type { Clock } from "@banyan/plugin-sdk";

/** Models that think send nothing for a while; whoever sends nothing for so long has gone. */
const SILENCE_LIMIT_MS = 180_000;

/** The model was silent for too long. */
export class ModelSilence extends Error {
  constructor() {
    super(`nothing came for ${SILENCE_LIMIT_MS / 1_000} s`);
    this.name = "ModelSilence";
  }
}

/** Calls back once when nothing arrived for too long; time in which `isBusy` says so counts for nothing. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #isBusy: () => boolean;
  readonly #onSilence: (error: ModelSilence) => void;
  #heardAtMs: number;
  #cancel: () => void;

  constructor(clock: Clock, isBusy: () => boolean, onSilence: (error: ModelSilence) => void) {
    this.#clock = clock;
    this.#isBusy = isBusy;
    this.#onSilence = onSilence;
    this.#heardAtMs = clock.monotonic();
    this.#cancel = clock.schedule(SILENCE_LIMIT_MS, () => this.#look());
  }

  /** Cheap: no timer is set for it. */
  hear(): void {
    this.#heardAtMs = this.#clock.monotonic();
  }

  close(): void {
    this.#cancel();
  }

  #look(): void {
    if (this.#isBusy()) this.hear();
    const leftMs = this.#heardAtMs + SILENCE_LIMIT_MS - this.#clock.monotonic();
    if (leftMs <= 0) this.#onSilence(new ModelSilence());
    else this.#cancel = this.#clock.schedule(leftMs, () => this.#look());
  }
}
