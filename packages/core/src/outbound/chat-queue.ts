import type { QueuedDelivery } from "./queued-delivery.ts";

/** The deliveries of one chat, in order; at most one of them is under way. */
export interface ChatQueue {
  readonly chat: string;
  readonly rows: QueuedDelivery[];
  /** One is under way, or a place is reserved. */
  isBusy: boolean;
  /** The next attempt waits for its time. */
  isHeld: boolean;
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
    this.#chats.set(chat, { chat, rows: [], isBusy: true, isHeld: false });
    return true;
  }

  append(row: QueuedDelivery): ChatQueue {
    const queue = this.#chats.get(row.chat) ?? { chat: row.chat, rows: [], isBusy: false, isHeld: false };
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

  /** Ends a reservation, an attempt or a wait: the chat is ready again, or gone when it is empty. */
  free(chat: string): void {
    const queue = this.#chats.get(chat);
    if (queue === undefined) return;
    queue.isBusy = false;
    this.wake(queue);
  }

  wake(queue: ChatQueue): void {
    if (queue.isBusy || queue.isHeld) return;
    if (queue.rows.length > 0) this.#ready.add(queue);
    else this.#chats.delete(queue.chat);
  }

  /** The chat that has been ready longest, now busy, and its first row. */
  takeReady(): { queue: ChatQueue; row: QueuedDelivery } | undefined {
    for (const queue of this.#ready) {
      this.#ready.delete(queue);
      const row = queue.rows[0];
      if (row === undefined || queue.isBusy || queue.isHeld) continue;
      queue.isBusy = true;
      return { queue, row };
    }
    return undefined;
  }

  rows(): readonly QueuedDelivery[] {
    return [...this.#chats.values()].flatMap((queue) => queue.rows);
  }
}
