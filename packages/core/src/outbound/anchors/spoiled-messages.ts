import type { Clock } from "@banyan/plugin-sdk";

/** An edit that was under way comes soon or never; who is forgotten is out of its reach. */
const MOST_SPOILED = 1_000;
/** Longer than a plugin's call may take: what has not come by then does not come. */
const UNCLEAR_EDIT_MS = 20_000;

/** Messages that an edit of unclear end may still change. */
export class SpoiledMessages {
  /** By row: since when, on the monotonic clock. The oldest first. */
  readonly #since = new Map<string, number>();
  readonly #clock: Pick<Clock, "monotonic">;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Nobody else's words go there any more. */
  has(rowId: string): boolean {
    return this.#since.has(rowId);
  }

  /** The edit may still come. */
  isUnclear(rowId: string): boolean {
    const since = this.#since.get(rowId);
    return since !== undefined && this.#clock.monotonic() - since < UNCLEAR_EDIT_MS;
  }

  add(rowId: string): void {
    this.#since.delete(rowId);
    this.#since.set(rowId, this.#clock.monotonic());
    const [oldest] = this.#since.keys();
    if (this.#since.size > MOST_SPOILED && oldest !== undefined) this.#since.delete(oldest);
  }
}
