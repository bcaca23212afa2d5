import { ChannelError } from "@banyan/plugin-sdk";
import type { DeliveryState, NewDelivery } from "@banyan/plugin-sdk/store";
import { commitStep } from "../ports/commit-step.ts";
import { AccountHold } from "./account-hold.ts";
import { type AttemptEnd, type AttemptParts, attemptDelivery, type Send } from "./attempt-delivery.ts";
import { type ChatQueue, ChatQueues } from "./chat-queue.ts";
import { findWaitMs, type QueuedDelivery, queueNew, queueStored } from "./queued-delivery.ts";

/** In flight at once over all chats of an account: enough to hide a slow network, few enough for a small machine. */
const MOST_PARALLEL_SENDS = 256;
/** Rows in memory per account; beyond it they wait in the store and are read when there is room. */
const MOST_QUEUED_ROWS = 10_000;
const PAGE_ROWS = 1_000;
const WAITING_STATES: readonly DeliveryState[] = ["pending", "stuck"];

export interface AccountOutboxParts extends AttemptParts {
  readonly channel: string;
  readonly account: string;
  /** The account's credentials are refused: nothing more is sent until it connects again. */
  onUnauthorized(error: ChannelError): void;
}

/**
 * Sends the deliveries of one account: parallel over chats, in order within a chat. It alone moves its rows from
 * `pending` to their end, so the rows in memory and those in the store never disagree for longer than one step.
 */
export class AccountOutbox {
  readonly #parts: AccountOutboxParts;
  readonly #queues = new ChatQueues();
  #send: Send | undefined;
  #inFlight = 0;
  readonly #hold: AccountHold;
  /** The store may hold rows that are not in memory: until they are read, new rows go no other way. */
  #hasMore = true;
  #isLoading = false;
  /** Rows came up that the reading under way may have missed: it is done again. */
  #isStale = false;
  #isClosed = false;
  #nextReload: { readonly due: number; cancel(): void } | undefined;
  #whenIdle: (() => void)[] = [];

  constructor(parts: AccountOutboxParts) {
    this.#parts = parts;
    this.#hold = new AccountHold(parts.ports.clock, () => this.#pump());
  }

  get busyChats(): number {
    return this.#queues.chats;
  }

  /** The account is connected: what waits is sent. Without a connection rows wait; after `close` they always do. */
  connect(send: Send): void {
    if (this.#isClosed) return;
    this.#send = send;
    this.reload();
    this.#pump();
  }

  disconnect(): void {
    this.#send = undefined;
  }

  /**
   * Whether a row for the chat may be born `sending`: the account sends, and nothing of the chat stands before it. The
   * chat is then kept until `enqueue` brings that row, or `release`.
   */
  reserve(chat: string): boolean {
    const canSend =
      this.#send !== undefined && this.#hold.leftMs === 0 && !this.#hasMore && this.#inFlight < MOST_PARALLEL_SENDS;
    return canSend && this.#queues.reserve(chat);
  }

  release(chat: string): void {
    this.#queues.free(chat);
    this.#pump();
  }

  /** Takes over rows whose writing is committed. */
  enqueue(rows: readonly NewDelivery[]): void {
    for (const row of rows) {
      const isReserved = row.sendingOwner !== undefined;
      if (!isReserved && (this.#hasMore || this.#queues.size >= MOST_QUEUED_ROWS)) {
        this.#hasMore = true;
        this.#isStale = true;
        continue;
      }
      const queue = isReserved ? this.#queues.fill(queueNew(row)) : this.#queues.append(queueNew(row));
      if (isReserved) this.#queues.free(row.chat);
      else this.#queues.wake(queue);
    }
    this.#load();
    this.#pump();
  }

  /** An operator changed a row of the chat in the store: what waits of it in memory is read anew, and due at once. */
  refresh(chat: string): void {
    this.#queues.forget(chat);
    this.reload();
  }

  /** Rows became due in the store. */
  reload(): void {
    this.#hasMore = true;
    this.#isStale = true;
    this.#load();
  }

  /** Stops sending, waits for what is under way, and gives rows that were never tried back their attempt. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#send = undefined;
    if (this.#inFlight > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    for (const row of this.#queues.rows()) {
      if (!row.isSending) continue;
      const outcome = {
        state: "pending",
        error: "The gateway stopped before it was sent",
        retryInMs: 0,
        giveBackAttempt: true,
      } as const;
      await commitStep(this.#parts.store, { step: "settle", id: row.id, attempt: row.attempts, outcome });
    }
  }

  #pump(): void {
    while (this.#send !== undefined && this.#hold.leftMs === 0 && this.#inFlight < MOST_PARALLEL_SENDS) {
      const next = this.#queues.takeReady();
      if (next === undefined) return;
      this.#inFlight += 1;
      void this.#deliver(next.queue, next.row, this.#send);
    }
  }

  async #deliver(queue: ChatQueue, row: QueuedDelivery, send: Send): Promise<void> {
    try {
      const end = await attemptDelivery(row, send, this.#parts, this.#hold);
      this.#settle(queue, row, end);
    } catch (error) {
      // The store has failed or the gateway stops; the row is `sending` and the next process decides about it.
      this.#queues.remove(queue, row);
      this.#parts.ports.log.error({ err: error, delivery: row.id }, "a delivery is left to the next start");
    }
    this.#inFlight -= 1;
    this.#queues.free(queue.chat);
    this.#load();
    this.#pump();
    if (this.#inFlight === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Brings the rows in memory to what was just committed. */
  #settle(queue: ChatQueue, row: QueuedDelivery, end: AttemptEnd | undefined): void {
    if (end?.outcome.state !== "pending") this.#queues.remove(queue, row);
    // Somebody else changed the row meanwhile, such as an operator who retries it: the store has the present one.
    if (end === undefined) {
      this.reload();
      return;
    }
    if (end.outcome.state !== "pending" && end.outcome.state !== "stuck") return;
    if (end.outcome.giveBackAttempt) row.attempts -= 1;
    if (end.outcome.maybeRepeated) row.maybeRepeated = true;
    if (end.outcome.state === "stuck") this.#reloadIn(end.outcome.retryInMs);
    else if (end.hold === "chat") this.#holdChat(queue, end.outcome.retryInMs, isRateLimit(end.error));
    else if (end.hold === "account_stopped" && end.error instanceof ChannelError) {
      this.#send = undefined;
      this.#parts.onUnauthorized(end.error);
    }
  }

  /** The chat waits for the longest of its rows, so that none goes before its time when it comes to the head. */
  #holdChat(queue: ChatQueue, delayMs: number, isLimit: boolean): void {
    const { clock } = this.#parts.ports;
    const due = clock.monotonic() + delayMs;
    if (queue.hold !== undefined && queue.hold.due >= due) return;
    queue.hold?.cancel();
    const cancel = clock.schedule(delayMs, () => {
      queue.hold = undefined;
      this.#queues.wake(queue);
      this.#pump();
    });
    queue.hold = { due, isLimit: isLimit || queue.hold?.isLimit === true, cancel };
  }

  /** Stuck rows wait in the store; one timer stands for the earliest of them. */
  #reloadIn(delayMs: number): void {
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

  /** Reads rows that wait in the store, as many as there is room for. */
  #load(): void {
    const hasRoom = this.#queues.size <= MOST_QUEUED_ROWS - PAGE_ROWS;
    if (!this.#hasMore || this.#isLoading || this.#send === undefined || !hasRoom) return;
    this.#isLoading = true;
    this.#isStale = false;
    void this.#loadPages()
      .then(() => this.#isStale)
      .catch((error: unknown) => {
        this.#parts.ports.log.error({ err: error }, "waiting deliveries could not be read");
        return false;
      })
      .then((isStale) => {
        this.#isLoading = false;
        if (isStale) this.#load();
        this.#pump();
      });
  }

  async #loadPages(): Promise<void> {
    const { store, ports, channel, account } = this.#parts;
    let afterPos = 0;
    while (this.#queues.size <= MOST_QUEUED_ROWS - PAGE_ROWS) {
      const page = await store.read.deliveries({
        states: WAITING_STATES,
        channel,
        account,
        afterPos,
        limit: PAGE_ROWS,
      });
      for (const row of page) {
        afterPos = row.pos;
        const waitMs = findWaitMs(row, ports.clock.now());
        if (row.state === "stuck" && waitMs > 0) this.#reloadIn(waitMs);
        if (this.#queues.has(row.id) || (row.state === "stuck" && waitMs > 0)) continue;
        const queue = this.#queues.append(queueStored(row));
        if (waitMs > 0) this.#holdChat(queue, waitMs, false);
        this.#queues.wake(queue);
      }
      if (page.length < PAGE_ROWS) {
        this.#hasMore = this.#isStale;
        return;
      }
    }
  }
}

function isRateLimit(error: unknown): boolean {
  return error instanceof ChannelError && error.class === "rate_limited";
}
