const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** A refused token is tried again now and then: a gateway that is restarted takes its old one. */
export const REFUSED_WAIT_MS = 30_000;

/** How long to wait after the try number `tries`, counted from 0. `random`, from 0 to below 1, parts the tabs. */
export function decideRetryWaitMs(tries: number, random: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries, 20), LONGEST_WAIT_MS) * (0.75 + random / 2);
}

/** A wait that ends early when there is news. */
export class RetryWait {
  #end: (() => void) | undefined;

  /** Resolves after `waitMs`, or at `cut`. One wait at a time. */
  async wait(waitMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      timer = setTimeout(resolve, waitMs);
    });
    clearTimeout(timer);
    this.#end = undefined;
  }

  cut(): void {
    this.#end?.();
  }
}
