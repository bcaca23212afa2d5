import type { Clock } from "@banyan/plugin-sdk";

/** A short answer is there by then, whole. */
const FIRST_AFTER_MS = 1_500;
/** Discord allows about five messages and edits in five seconds in a channel, and others want to be sent as well. */
const EDIT_EVERY_MS = 2_000;

/** Paces one growing answer: the newest text is shown, those between are passed over. */
export class LiveDraft {
  readonly #clock: Clock;
  readonly #show: (text: string) => Promise<void>;
  #text = "";
  #shown = "";
  #work: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isOver = false;

  /** `show` must not reject; it resolves when the text stands there, or will not. */
  constructor(clock: Clock, show: (text: string) => Promise<void>) {
    this.#clock = clock;
    this.#show = show;
  }

  get wasShown(): boolean {
    return this.#shown !== "";
  }

  grow(text: string): void {
    this.#text = text;
    this.#schedule(this.#shown === "" ? FIRST_AFTER_MS : EDIT_EVERY_MS);
  }

  /** Nothing more is shown; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#cancel?.();
    await this.#work;
  }

  #schedule(delayMs: number): void {
    if (this.#isOver || this.#cancel !== undefined || this.#work !== undefined || this.#text === this.#shown) return;
    this.#cancel = this.#clock.schedule(delayMs, () => {
      this.#cancel = undefined;
      this.#work = this.#showNow();
    });
  }

  async #showNow(): Promise<void> {
    this.#shown = this.#text;
    await this.#show(this.#shown);
    this.#work = undefined;
    this.#schedule(EDIT_EVERY_MS);
  }
}
