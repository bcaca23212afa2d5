import { earlierPartId, type QueuedDelivery } from "./queued-delivery.ts";

/** The deliveries of one chat, in order; at most one of them is under way. */
export interface ChatQueue {
  readonly chat: string;
  readonly rows: QueuedDelivery[];
  /** One is under way, or a place is reserved. */
  isBusy: boolean;
  /** The next attempt waits for its time; with `isLimit` the platform set it, and nobody may go before it. */
  hold: { readonly due: number; readonly isLimit: boolean; cancel(): void } | undefined;
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

  /** Chats held. */
  get chats(): number {
    return this.#chats.size;
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

  /** Puts the row in the last place, a later part right behind the one before it. */
  append(row: QueuedDelivery): ChatQueue {
    const queue = this.#open(row);
    const earlier = earlierPartId(row);
    const isBehind = earlier !== undefined && this.#ids.has(earlier);
    const place = isBehind ? queue.rows.findLastIndex(({ id }) => id === earlier) + 1 : queue.rows.length;
    queue.rows.splice(place, 0, row);
    return queue;
  }

  /**
   * Puts the row that a place was reserved for before all that came meanwhile: it is `sending` already, so behind one
   * that is tried again it would look after a crash as if it had been sent.
   */
  fill(row: QueuedDelivery): ChatQueue {
    const queue = this.#open(row);
    queue.rows.unshift(row);
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

  #open({ chat, id }: QueuedDelivery): ChatQueue {
    const queue = this.#chats.get(chat) ?? { chat, rows: [], isBusy: false, hold: undefined };
    this.#chats.set(chat, queue);
    this.#ids.add(id);
    return queue;
  }
}
