import type { Clock } from "../port/clock.ts";

export interface GrowingTextOptions {
  readonly clock: Clock;
  /**
   * Shows the text; must not reject. Resolves when it stands there, or never will; with milliseconds where it was not its
   * turn yet: nothing was shown, and the text as it is by then is shown after so long.
   */
  readonly show: (text: string) => Promise<number | undefined>;
  /** Before the first text is shown: a short answer is there by then, whole. */
  readonly firstAfterMs: number;
  /** Between two texts, by how long the first one has been there. */
  readonly nextAfterMs: (ageMs: number) => number;
  /** For what vanishes by itself: the same text is shown again when it has stood unchanged for so long. */
  readonly refreshMs?: number;
}

/** Paces one growing answer: the newest text is shown, those between are passed over. */
export class GrowingText {
  readonly #options: GrowingTextOptions;
  #text = "";
  #shown: string | undefined;
  #firstShownAt: number | undefined;
  #work: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #cancelRefresh: (() => void) | undefined;
  #isOver = false;

  constructor(options: GrowingTextOptions) {
    this.#options = options;
  }

  get wasShown(): boolean {
    return this.#shown !== undefined;
  }

  grow(text: string): void {
    this.#text = text;
    this.#schedule(this.#delayMs);
  }

  /** Nothing more is shown; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#cancel?.();
    this.#cancelRefresh?.();
    await this.#work;
  }

  get #delayMs(): number {
    const { clock, firstAfterMs, nextAfterMs } = this.#options;
    return this.#firstShownAt === undefined ? firstAfterMs : nextAfterMs(clock.monotonic() - this.#firstShownAt);
  }

  #schedule(delayMs: number): void {
    if (this.#isOver || this.#cancel !== undefined || this.#work !== undefined || this.#text === this.#shown) return;
    this.#cancelRefresh?.();
    this.#cancel = this.#options.clock.schedule(delayMs, () => {
      this.#cancel = undefined;
      this.#work = this.#showNow();
    });
  }

  async #showNow(): Promise<void> {
    const text = this.#text;
    const waitMs = await this.#options.show(text);
    this.#work = undefined;
    if (waitMs !== undefined) return this.#schedule(waitMs);
    this.#shown = text;
    this.#firstShownAt ??= this.#options.clock.monotonic();
    this.#scheduleRefresh();
    this.#schedule(this.#delayMs);
  }

  #scheduleRefresh(): void {
    const { clock, refreshMs } = this.#options;
    this.#cancelRefresh?.();
    if (refreshMs === undefined || this.#isOver) return;
    this.#cancelRefresh = clock.schedule(refreshMs, () => {
      this.#work ??= this.#showNow();
    });
  }
}
