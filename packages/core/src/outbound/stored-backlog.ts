import type { DeliveryRow, DeliveryState, Store } from "@banyan/store";
import type { Ports } from "../ports/ports.ts";
import { STUCK_RETRY_MS } from "./decide-settle.ts";

/** Rows in memory per account. More wait in the store and are read when there is room. */
export const MAX_QUEUED_ROWS = 10_000;
const PAGE_ROWS = 1_000;
const WAITING_STATES: readonly DeliveryState[] = ["pending", "stuck"];

export interface BacklogParts {
  readonly channel: string;
  readonly account: string;
  readonly store: Store;
  readonly ports: Ports;
  /** The number of rows in memory. */
  count(): number;
  /** Without a connection there is nothing to read rows for. */
  isConnected(): boolean;
  /** Called for each row that waits, the oldest first. */
  onRow(row: DeliveryRow, waitMs: number): void;
  /** Called when the rows were read. */
  onRest(): void;
}

/** The rows of one account that wait in the store. At most one read runs at a time. */
export class StoredBacklog {
  readonly #parts: BacklogParts;
  /** The store may have rows that are not in memory. Until they are read, new rows stay in the store too, to keep the order. */
  #hasMore = true;
  #isLoading = false;
  /** There are rows that the current read may have missed: it is repeated. */
  #isStale = false;
  #nextReload: { readonly due: number; cancel(): void } | undefined;

  constructor(parts: BacklogParts) {
    this.#parts = parts;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Called for a new row that stays in the store. */
  grow(): void {
    this.#hasMore = true;
    this.#isStale = true;
  }

  /** Reads rows that became due in the store. */
  reload(): void {
    this.grow();
    this.load();
  }

  /** Reads what waits, as far as there is room. */
  load(): void {
    const { count, isConnected, onRest, ports } = this.#parts;
    const hasRoom = count() <= MAX_QUEUED_ROWS - PAGE_ROWS;
    if (!this.#hasMore || this.#isLoading || !isConnected() || !hasRoom) return;
    this.#isLoading = true;
    this.#isStale = false;
    void this.#loadPages()
      .then(() => this.#isStale)
      .catch((error: unknown) => {
        ports.log.error({ err: error }, "waiting deliveries could not be read");
        return false;
      })
      .then((isStale) => {
        this.#isLoading = false;
        if (isStale) this.load();
        onRest();
      });
  }

  /** Stuck rows wait in the store. They share one timer, for the earliest of them. */
  reloadIn(delayMs: number): void {
    const { clock } = this.#parts.ports;
    const due = clock.monotonic() + delayMs;
    if (this.#nextReload !== undefined && this.#nextReload.due <= due) return;
    this.#nextReload?.cancel();
    const cancel = clock.schedule(delayMs, () => {
      this.#nextReload = undefined;
      this.reload();
    });
    this.#nextReload = { due, cancel };
  }

  async #loadPages(): Promise<void> {
    const { store, ports, channel, account, count, onRow } = this.#parts;
    let afterPos = 0;
    while (count() <= MAX_QUEUED_ROWS - PAGE_ROWS) {
      const query = { states: WAITING_STATES, channel, account, afterPos, limit: PAGE_ROWS };
      const page = await store.read.deliveries(query);
      for (const row of page) {
        afterPos = row.pos;
        const waitMs = resolveWaitMs(row, ports.clock.now());
        if (row.state === "stuck" && waitMs > 0) this.reloadIn(waitMs);
        else onRow(row, waitMs);
      }
      if (page.length < PAGE_ROWS) {
        this.#hasMore = this.#isStale;
        return;
      }
    }
  }
}

/**
 * Resolves how long a stored row still waits. Its times are of the wall clock, and one that was set back since must not delay
 * it by a day. A row that was written in what is now the future waits at most as long as its two times differ; an
 * earlier time was set by the clock as it is now.
 */
export function resolveWaitMs(row: Pick<DeliveryRow, "state" | "nextAtMs" | "createdAtMs">, nowMs: number): number {
  const waitMs = Math.max(0, row.nextAtMs - nowMs);
  if (row.state === "stuck") return Math.min(waitMs, STUCK_RETRY_MS);
  const isWrittenAhead = row.createdAtMs > nowMs && row.nextAtMs >= row.createdAtMs;
  return isWrittenAhead ? Math.min(waitMs, row.nextAtMs - row.createdAtMs) : waitMs;
}
