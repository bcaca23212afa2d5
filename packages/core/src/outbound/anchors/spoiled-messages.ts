import type { Clock } from "@banyan/plugin-sdk";
import type { DeliveryRow } from "@banyan/store";

/** An edit that has begun arrives soon or never, so the oldest may be forgotten. */
const MAX_SPOILED = 1_000;
/** Longer than a call of a plugin may take: an edit that has not arrived by then never arrives. */
const UNCLEAR_EDIT_MS = 20_000;

/** Messages that an edit with an unknown outcome may still change. */
export class SpoiledMessages {
  /** By row, since when, on the monotonic clock. The oldest first. */
  readonly #since = new Map<string, number>();
  /** Rows whose messages this process has changed first. Needed while an edit of an earlier process may arrive. */
  readonly #own = new Set<string>();
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #bornAt: number;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
    this.#bornAt = clock.monotonic();
  }

  /** Whether no other text may be edited into the message, or not yet. */
  has(row: Pick<DeliveryRow, "id" | "anchorId">): boolean {
    return this.#since.has(row.id) || this.#isLeft(row);
  }

  /** Whether the edit may still arrive. */
  isUnclear(rowId: string): boolean {
    const since = this.#since.get(rowId);
    return since !== undefined && this.#clock.monotonic() - since < UNCLEAR_EDIT_MS;
  }

  /** Called before its message is changed. `false`: an edit of an earlier process may arrive after that. */
  take(row: Pick<DeliveryRow, "id" | "anchorId">): boolean {
    if (this.#isLeft(row)) return false;
    if (this.#isYoung) this.#own.add(row.id);
    else this.#own.clear();
    return true;
  }

  /** Whether an earlier process has changed the message, and the outcome of its last edit is not known. */
  #isLeft({ id, anchorId }: Pick<DeliveryRow, "id" | "anchorId">): boolean {
    return anchorId !== undefined && this.#isYoung && !this.#own.has(id);
  }

  add(rowId: string): void {
    this.#since.delete(rowId);
    this.#since.set(rowId, this.#clock.monotonic());
    const [oldest] = this.#since.keys();
    if (this.#since.size > MAX_SPOILED && oldest !== undefined) this.#since.delete(oldest);
  }

  get #isYoung(): boolean {
    return this.#clock.monotonic() - this.#bornAt < UNCLEAR_EDIT_MS;
  }
}
