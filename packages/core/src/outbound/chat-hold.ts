import type { Clock } from "@banyan/plugin-sdk";
import type { ChatQueue, ChatQueues } from "./chat-queue.ts";

/** Chats whose next attempt waits for its time. */
export class ChatHolds {
  readonly #clock: Clock;
  readonly #queues: ChatQueues;
  readonly #onFree: () => void;
  /** Those that the platform's pace keeps waiting, with the time when each is asked for again. */
  readonly #paced = new Map<ChatQueue, number>();
  #pacer: { readonly due: number; cancel(): void } | undefined;

  /** `onFree` is called when chats are ready again. */
  constructor(clock: Clock, queues: ChatQueues, onFree: () => void) {
    this.#clock = clock;
    this.#queues = queues;
    this.#onFree = onFree;
  }

  /**
   * After a failure, or where the platform asked for it (`isLimit`). The chat waits for the longest of its rows, so that
   * none goes before its time when it comes to the head.
   */
  hold(queue: ChatQueue, delayMs: number, isLimit: boolean): void {
    const due = this.#clock.monotonic() + delayMs;
    const { hold } = queue;
    const isLimited = isLimit || hold?.isLimit === true;
    if (hold !== undefined && hold.due >= due) {
      if (hold.isLimit !== isLimited) queue.hold = { ...hold, isLimit: isLimited };
      return;
    }
    hold?.cancel();
    const cancel = this.#clock.schedule(delayMs, () => {
      queue.hold = undefined;
      this.#queues.wake(queue);
      this.#onFree();
    });
    queue.hold = { due, isLimit: isLimited, cancel };
  }

  /** Nothing has failed: the chat keeps the platform's pace. One timer stands for the earliest of all these chats. */
  pace(queue: ChatQueue, delayMs: number): void {
    const due = this.#clock.monotonic() + delayMs;
    this.#paced.set(queue, due);
    queue.hold = { due, isLimit: false, cancel: () => void this.#paced.delete(queue) };
    if (this.#pacer === undefined || due < this.#pacer.due) this.#arm(due);
  }

  #arm(due: number): void {
    this.#pacer?.cancel();
    const cancel = this.#clock.schedule(Math.max(0, due - this.#clock.monotonic()), () => this.#wakePaced());
    this.#pacer = { due, cancel };
  }

  #wakePaced(): void {
    this.#pacer = undefined;
    const now = this.#clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const [queue, due] of this.#paced) {
      if (due > now) {
        next = Math.min(next, due);
        continue;
      }
      this.#paced.delete(queue);
      queue.hold = undefined;
      this.#queues.wake(queue);
    }
    if (next < Number.POSITIVE_INFINITY) this.#arm(next);
    this.#onFree();
  }
}
