import type { QueuedDelivery } from "./queued-delivery.ts";

/** The deliveries of one chat, in order; at most one of them is under way. */
export interface ChatQueue {
  readonly chat: string;
  readonly rows: QueuedDelivery[];
  /** One is under way, or a place is reserved. */
  isBusy: boolean;
  /** The next attempt waits for its time; with `isLimit` the platform set it, and nobody may go before it. */
  hold: { readonly isLimit: boolean; cancel(): void } | undefined;
}

/** The chats of one account that have something to send or are sending. An idle chat takes no memory. */
export class ChatQueues {
  readonly #chats = new Map<string, ChatQueue>();
  readonly #ready = new Set<ChatQueue>();
  readonly #ids = new Set<string>();

  /** Rows held, over all chats. */
  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Keeps an idle chat for one row that is about to come. */
  reserve(chat: string): boolean {
    if (this.#chats.has(chat)) return false;
    this.#chats.set(chat, { chat, rows: [], isBusy: true, hold: undefined });
    return true;
  }

  append(row: QueuedDelivery): ChatQueue {
    const queue = this.#chats.get(row.chat) ?? { chat: row.chat, rows: [], isBusy: false, hold: undefined };
    this.#chats.set(row.chat, queue);
    queue.rows.push(row);
    this.#ids.add(row.id);
    return queue;
  }

  remove(queue: ChatQueue, row: QueuedDelivery): void {
    const index = queue.rows.indexOf(row);
    if (index >= 0) queue.rows.splice(index, 1);
    this.#ids.delete(row.id);
  }

  /**
   * Lets the chat's rows go, so that they are read anew from the store. One under way stays, and those behind it; so
   * does one that was born `sending`, which is not among the rows that wait there.
   */
  forget(chat: string): void {
    const queue = this.#chats.get(chat);
    if (queue === undefined || queue.isBusy || queue.rows.some(({ isSending }) => isSending)) return;
    for (const { id } of queue.rows.splice(0)) this.#ids.delete(id);
    if (queue.hold?.isLimit) return;
    queue.hold?.cancel();
    this.#ready.delete(queue);
    this.#chats.delete(chat);
  }

  /** Ends a reservation, an attempt or a wait: the chat is ready again, or gone when it is empty. */
  free(chat: string): void {
    const queue = this.#chats.get(chat);
    if (queue === undefined) return;
    queue.isBusy = false;
    this.wake(queue);
  }

  wake(queue: ChatQueue): void {
    if (queue.isBusy || queue.hold !== undefined) return;
    if (queue.rows.length > 0) this.#ready.add(queue);
    else this.#chats.delete(queue.chat);
  }

  /** The chat that has been ready longest, now busy, and its first row. */
  takeReady(): { queue: ChatQueue; row: QueuedDelivery } | undefined {
    for (const queue of this.#ready) {
      this.#ready.delete(queue);
      const row = queue.rows[0];
      if (row === undefined || queue.isBusy || queue.hold !== undefined) continue;
      queue.isBusy = true;
      return { queue, row };
    }
    return undefined;
  }

  rows(): readonly QueuedDelivery[] {
    return [...this.#chats.values()].flatMap((queue) => queue.rows);
  }
}
