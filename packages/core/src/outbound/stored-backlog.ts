import type { DeliveryRow, DeliveryState, Store } from "@banyan/plugin-sdk/store";
import type { Ports } from "../ports/ports.ts";
import { STUCK_RETRY_MS } from "./decide-settle.ts";

/** Rows in memory per account; beyond it they wait in the store and are read when there is room. */
export const MOST_QUEUED_ROWS = 10_000;
const PAGE_ROWS = 1_000;
const WAITING_STATES: readonly DeliveryState[] = ["pending", "stuck"];

export interface BacklogParts {
  readonly channel: string;
  readonly account: string;
  readonly store: Store;
  readonly ports: Ports;
  /** Rows in memory now. */
  count(): number;
  /** Without a connection there is nothing to read rows for. */
  isConnected(): boolean;
  /** A row that waits, the oldest first, due in so long. */
  onRow(row: DeliveryRow, waitMs: number): void;
  /** A reading has ended. */
  onRest(): void;
}

/** The rows of one account that wait in the store. The readings never overlap. */
export class StoredBacklog {
  readonly #parts: BacklogParts;
  /** The store may hold rows that are not in memory: until they are read, new rows go no other way. */
  #hasMore = true;
  #isLoading = false;
  /** Rows came up that the reading under way may have missed: it is done again. */
  #isStale = false;
  #nextReload: { readonly due: number; cancel(): void } | undefined;

  constructor(parts: BacklogParts) {
    this.#parts = parts;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** A new row stays in the store for now. */
  grow(): void {
    this.#hasMore = true;
    this.#isStale = true;
  }

  /** Rows became due in the store. */
  reload(): void {
    this.grow();
    this.load();
  }

  /** Reads what waits, as much as there is room for. */
  load(): void {
    const { count, isConnected, onRest, ports } = this.#parts;
    const hasRoom = count() <= MOST_QUEUED_ROWS - PAGE_ROWS;
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

  /** Stuck rows wait in the store; one timer stands for the earliest of them. */
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
    while (count() <= MOST_QUEUED_ROWS - PAGE_ROWS) {
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
 * How long a row of the store still waits. Its times are those of the wall clock: one that was set back since must not
 * keep it for a day. What was written in what is now the future waits no longer than its own times are apart; a time before
 * that was set by the clock that shows now.
 */
export function resolveWaitMs(row: Pick<DeliveryRow, "state" | "nextAtMs" | "createdAtMs">, nowMs: number): number {
  const waitMs = Math.max(0, row.nextAtMs - nowMs);
  if (row.state === "stuck") return Math.min(waitMs, STUCK_RETRY_MS);
  const isWrittenAhead = row.createdAtMs > nowMs && row.nextAtMs >= row.createdAtMs;
  return isWrittenAhead ? Math.min(waitMs, row.nextAtMs - row.createdAtMs) : waitMs;
}
