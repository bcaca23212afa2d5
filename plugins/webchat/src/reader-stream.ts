/** So much may wait for a slow reader, in bytes; one event more may lie on top. */
const WAITING_LIMIT_BYTES = 1024 * 1024;
/** With more than this waiting, in bytes, what may be dropped is dropped. */
const SLOW_BYTES = 64 * 1024;

/**
 * One reader's stream. What is not read yet waits here and nowhere else, so that a cut frees it at once even while the
 * socket hangs. A reader that was cut connects again and loads the history.
 */
export class ReaderStream {
  readonly body: ReadableStream<Uint8Array>;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #wake: (() => void) | undefined;
  #isEnded = false;
  readonly #onEnd: () => void;

  /** `onEnd` is called once: the reader left, was cut, or `end` was called. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.body = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.end() },
      { highWaterMark: 0 },
    );
  }

  /** Whether volatile events should be left out for now. */
  get isSlow(): boolean {
    return this.#waitingBytes > SLOW_BYTES;
  }

  write(bytes: Uint8Array): void {
    if (this.#isEnded) return;
    if (this.#waitingBytes > WAITING_LIMIT_BYTES) {
      this.#waiting = [];
      this.end();
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    this.#wake?.();
  }

  /** Ends behind what is waiting. Repeatable. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#wake?.();
    this.#onEnd();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#waiting.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const next = this.#waiting.shift();
    if (next === undefined) return controller.close();
    this.#waitingBytes -= next.byteLength;
    controller.enqueue(next);
  }
}
