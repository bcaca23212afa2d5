import type { Clock } from "@banyan/plugin-sdk";
import type { DeliveryRow } from "@banyan/store";

/** An edit that was under way comes soon or never; who is forgotten is out of its reach. */
const MOST_SPOILED = 1_000;
/** Longer than a plugin's call may take: what has not come by then does not come. */
const UNCLEAR_EDIT_MS = 20_000;

/** Messages that an edit of unclear end may still change. */
export class SpoiledMessages {
  /** By row: since when, on the monotonic clock. The oldest first. */
  readonly #since = new Map<string, number>();
  /** Rows whose messages were first changed in this life, as long as others may not be. */
  readonly #own = new Set<string>();
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #bornAt: number;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
    this.#bornAt = clock.monotonic();
  }

  /** Nobody else's words go there any more, or not yet. */
  has(row: Pick<DeliveryRow, "id" | "anchorId">): boolean {
    return this.#since.has(row.id) || this.#isLeft(row);
  }

  /** The edit may still come. */
  isUnclear(rowId: string): boolean {
    const since = this.#since.get(rowId);
    return since !== undefined && this.#clock.monotonic() - since < UNCLEAR_EDIT_MS;
  }

  /** Its message is about to be changed; `false` where an earlier life's edit may come behind that. */
  take(row: Pick<DeliveryRow, "id" | "anchorId">): boolean {
    if (this.#isLeft(row)) return false;
    if (this.#isYoung) this.#own.add(row.id);
    else this.#own.clear();
    return true;
  }

  /** Its message was changed by an earlier life, and nobody has heard the end of its last edit. */
  #isLeft({ id, anchorId }: Pick<DeliveryRow, "id" | "anchorId">): boolean {
    return anchorId !== undefined && this.#isYoung && !this.#own.has(id);
  }

  add(rowId: string): void {
    this.#since.delete(rowId);
    this.#since.set(rowId, this.#clock.monotonic());
    const [oldest] = this.#since.keys();
    if (this.#since.size > MOST_SPOILED && oldest !== undefined) this.#since.delete(oldest);
  }

  get #isYoung(): boolean {
    return this.#clock.monotonic() - this.#bornAt < UNCLEAR_EDIT_MS;
  }
}
