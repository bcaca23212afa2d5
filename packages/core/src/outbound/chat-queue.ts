import { moveAddress } from "@banyan/store";
import { earlierPartId, type QueuedDelivery } from "./queued-delivery.ts";

/** The deliveries of one chat, in order; at most one of them is under way. */
export interface ChatQueue {
  readonly chat: string;
  readonly rows: QueuedDelivery[];
  /** One is under way, or a place is reserved. */
  isBusy: boolean;
  current: QueuedDelivery | undefined;
  /** The next attempt waits for its time; with `isLimit` the platform set it, and nobody may go before it. */
  hold: ChatHold | undefined;
  /** Chats that moved here and whose last message is still under way: nothing goes before it has ended. */
  waitsFor: number;
  /** The chat's new id: what is under way, and does not end here, goes on there. */
  movedTo: string | undefined;
  /** Called when what is under way has ended. */
  onFree: (() => void) | undefined;
}

export interface ChatHold {
  /** On the monotonic clock. */
  readonly due: number;
  readonly isLimit: boolean;
  cancel(): void;
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

  find(chat: string): ChatQueue | undefined {
    return this.#chats.get(chat);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Keeps an idle chat for one row that is about to come. */
  reserve(chat: string): boolean {
    if (this.#chats.has(chat)) return false;
    this.#chats.set(chat, { ...createQueue(chat), isBusy: true });
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
   * Puts the row that a place was reserved for before all that came meanwhile, as the one under way: it is `sending`
   * already, so while it waited it would look after a crash as if it had been sent.
   */
  fill(row: QueuedDelivery): ChatQueue {
    const queue = this.#open(row);
    queue.rows.unshift(row);
    queue.isBusy = true;
    queue.current = row;
    return queue;
  }

  remove(queue: ChatQueue, row: QueuedDelivery): void {
    const index = queue.rows.indexOf(row);
    if (index >= 0) queue.rows.splice(index, 1);
    if (queue.current === row) queue.current = undefined;
    this.#ids.delete(row.id);
  }

  /**
   * A row of a chat that has moved stands first in the new place, with its attempts. It was what the new place waited for,
   * so what holds the row back from now on holds there.
   */
  carryOver(queue: ChatQueue, row: QueuedDelivery, to: string): Taken {
    this.remove(queue, row);
    queue.onFree?.();
    queue.onFree = undefined;
    // Its anchor is a message of the old chat: in the new one the id may be another message's.
    const { anchorId: _, ...rest } = row;
    const moved = { ...rest, chat: to, address: moveAddress(row.address, [{ from: queue.chat, to }]) };
    const next = this.#open(moved);
    next.rows.unshift(moved);
    this.wake(next);
    return { queue: next, row: moved };
  }

  /** Lets the chat's rows go, so that they are read anew from the store. The one under way stays. */
  forget(chat: string): void {
    const queue = this.#chats.get(chat);
    if (queue === undefined) return;
    for (const row of queue.rows.slice()) if (row !== queue.current) this.remove(queue, row);
    if (queue.isBusy || queue.waitsFor > 0 || queue.hold?.isLimit) return;
    queue.hold?.cancel();
    this.#ready.delete(queue);
    this.#chats.delete(chat);
  }

  /**
   * The chat has another id: lets all go, what held it back included, unless the platform did: an answer that began
   * before the move still comes here. The one under way ends under the old id, and nothing goes to the new one before.
   */
  leave(chat: string, to: string): void {
    const queue = this.#chats.get(chat);
    if (queue === undefined) return;
    if (queue.hold?.isLimit !== true) {
      queue.hold?.cancel();
      queue.hold = undefined;
    }
    this.forget(chat);
    if (!queue.isBusy) return;
    queue.movedTo = to;
    this.#waitFor(queue, to);
  }

  /** Ends a reservation, an attempt or a wait: the chat is ready again, or gone when it is empty. */
  free(chat: string): void {
    const queue = this.#chats.get(chat);
    if (queue === undefined) return;
    queue.isBusy = false;
    queue.current = undefined;
    // What comes here from now on was decided after the move, and is no part of it.
    queue.movedTo = undefined;
    queue.onFree?.();
    queue.onFree = undefined;
    this.wake(queue);
  }

  wake(queue: ChatQueue): void {
    if (queue.isBusy || isHeld(queue)) return;
    if (queue.rows.length > 0) this.#ready.add(queue);
    else this.#chats.delete(queue.chat);
  }

  /** The chat that has been ready longest and may go, now busy, and its first row. One that may not is ready no more. */
  takeReady(mayGo: (queue: ChatQueue, row: QueuedDelivery) => boolean): Taken | undefined {
    for (const queue of this.#ready) {
      this.#ready.delete(queue);
      const row = queue.rows[0];
      if (row === undefined || queue.isBusy || isHeld(queue) || !mayGo(queue, row)) continue;
      queue.isBusy = true;
      queue.current = row;
      return { queue, row };
    }
    return undefined;
  }

  #waitFor(left: ChatQueue, to: string): void {
    const next = this.#openChat(to);
    const earlier = left.onFree;
    next.waitsFor += 1;
    left.onFree = () => {
      earlier?.();
      next.waitsFor -= 1;
      this.wake(next);
    };
  }

  #open({ chat, id }: QueuedDelivery): ChatQueue {
    this.#ids.add(id);
    return this.#openChat(chat);
  }

  #openChat(chat: string): ChatQueue {
    const queue = this.#chats.get(chat) ?? createQueue(chat);
    this.#chats.set(chat, queue);
    return queue;
  }
}

export interface Taken {
  readonly queue: ChatQueue;
  readonly row: QueuedDelivery;
}

/** Whether what comes next must wait. */
export function isHeld({ hold, waitsFor }: ChatQueue): boolean {
  return hold !== undefined || waitsFor > 0;
}

function createQueue(chat: string): ChatQueue {
  const nothing = { current: undefined, hold: undefined, movedTo: undefined, onFree: undefined };
  return { chat, rows: [], isBusy: false, waitsFor: 0, ...nothing };
}
