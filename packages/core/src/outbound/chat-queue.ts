/** The deliveries of an account in memory, by chat. */
import { moveAddress } from "@banyan/store";
import { earlierPartId, type QueuedDelivery } from "./queued-delivery.ts";

/** The deliveries of one chat, in order. At most one of them is being sent. */
export interface ChatQueue {
  readonly chat: string;
  readonly rows: QueuedDelivery[];
  /** A row is being sent, or the chat is reserved for one. */
  isBusy: boolean;
  current: QueuedDelivery | undefined;
  /** The next attempt waits. With `isLimit` the platform has set the time, and nothing may be sent before it. */
  hold: ChatHold | undefined;
  /** The number of chats that moved here and whose last message is still being sent. Nothing is sent before that has ended. */
  waitsFor: number;
  /** The chat's new id. A row that is being sent and fails continues there. */
  movedTo: string | undefined;
  /** Called when the row that is being sent has ended. */
  onFree: (() => void) | undefined;
}

export interface ChatHold {
  /** On the monotonic clock. */
  readonly due: number;
  readonly isLimit: boolean;
  cancel(): void;
}

/** The chats of one account that have something to send or are sending. An idle chat uses no memory. */
export class ChatQueues {
  readonly #chats = new Map<string, ChatQueue>();
  readonly #ready = new Set<ChatQueue>();
  readonly #ids = new Set<string>();

  /** The number of rows, over all chats. */
  get size(): number {
    return this.#ids.size;
  }

  /** The number of chats. */
  get chats(): number {
    return this.#chats.size;
  }

  find(chat: string): ChatQueue | undefined {
    return this.#chats.get(chat);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Reserves an idle chat for one row that is being written. */
  reserve(chat: string): boolean {
    if (this.#chats.has(chat)) return false;
    this.#chats.set(chat, { ...createQueue(chat), isBusy: true });
    return true;
  }

  /** Adds a row as the last, or a later part directly after the part before it. */
  append(row: QueuedDelivery): ChatQueue {
    const queue = this.#open(row);
    const earlier = earlierPartId(row);
    const isLaterPart = earlier !== undefined && this.#ids.has(earlier);
    const place = isLaterPart ? queue.rows.findLastIndex(({ id }) => id === earlier) + 1 : queue.rows.length;
    queue.rows.splice(place, 0, row);
    return queue;
  }

  /**
   * Adds the row that the chat was reserved for, as the first and the one that is being sent. It is stored as `sending`: if
   * it waited, it would look after a crash as if it had been sent.
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
   * Moves the row that was being sent to the new id of its chat, as the first there, with its attempts. The new id waited
   * for it, so that a wait of this row is one of the new id.
   */
  carryOver(queue: ChatQueue, row: QueuedDelivery, to: string): Taken {
    this.remove(queue, row);
    queue.onFree?.();
    queue.onFree = undefined;
    // Its anchor is a message of the old chat. In the new one its id may be that of another message.
    const { anchorId: _, ...rest } = row;
    const moved = { ...rest, chat: to, address: moveAddress(row.address, [{ from: queue.chat, to }]) };
    const next = this.#open(moved);
    next.rows.unshift(moved);
    this.wake(next);
    return { queue: next, row: moved };
  }

  /** Forgets the chat's rows, so that they are read from the store again. The one that is being sent stays. */
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
   * Forgets a chat that has another id now, and its wait, unless the platform has set it: an answer that began before the
   * move is still sent here. The row that is being sent ends under the old id, and nothing is sent to the new one before.
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

  /** Ends a reservation or an attempt: the chat is ready again, or forgotten if it is empty. */
  free(chat: string): void {
    const queue = this.#chats.get(chat);
    if (queue === undefined) return;
    queue.isBusy = false;
    queue.current = undefined;
    // Rows that come to the old id from now on were decided after the move.
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

  /** Takes the chat that has been ready longest and may send, and its first row. A chat that may not is not ready any more. */
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

/** Whether the next row must wait. */
export function isHeld({ hold, waitsFor }: ChatQueue): boolean {
  return hold !== undefined || waitsFor > 0;
}

function createQueue(chat: string): ChatQueue {
  const nothing = { current: undefined, hold: undefined, movedTo: undefined, onFree: undefined };
  return { chat, rows: [], isBusy: false, waitsFor: 0, ...nothing };
}
