/** Thrown into a program whose turn was aborted or has lost its lane, so that it unwinds at its next step. */
export class TurnInterruption extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(`The turn was interrupted: ${reason}`, options);
    this.name = "TurnInterruption";
  }
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. */
export function untilInterrupted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const interrupt = () => reject(signal.reason);
    if (signal.aborted) {
      // The promise is no longer waited for, but it must still have somebody who hears it fail.
      promise.catch(() => undefined);
      return interrupt();
    }
    signal.addEventListener("abort", interrupt, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", interrupt));
  });
}
