/** When something may be sent: rate limits of an account, waits of its chats, and the pace that a plugin keeps. */
import { type Clock, isAddress, type Log, type PaceAbility } from "@banyan/plugin-sdk";
import type { ChatQueue, ChatQueues } from "./chat-queue.ts";

/** A longer wait that a plugin names is cut to this, and the pace is asked again. */
const MAX_PACE_MS = 60_000;
/** A shorter wait would be a busy loop. */
const MIN_PACE_MS = 1;

/** The current rate limits of a whole account. It waits for the longest. */
export class AccountHold {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #untilMs = 0;

  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** Milliseconds until something may be sent. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.monotonic());
  }

  begin(delayMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, this.#clock.monotonic() + delayMs);
    this.#wait(delayMs);
  }

  /** Waits again for the rest where a timer fires a fraction of a millisecond early: no other call continues. */
  #wait(delayMs: number): void {
    this.#clock.schedule(delayMs, () => {
      if (this.leftMs > 0) this.#wait(this.leftMs);
      else this.#onEnd();
    });
  }
}

/** The chats of an account whose next attempt waits. */
export class ChatHolds {
  readonly #clock: Clock;
  readonly #queues: ChatQueues;
  readonly #onFree: () => void;
  /** The chats that wait for the platform's pace, and when to ask it again, on the monotonic clock. */
  readonly #paced = new Map<ChatQueue, number>();
  #pacer: { readonly due: number; cancel(): void } | undefined;

  /** `onFree` is called when chats are ready again. */
  constructor(clock: Clock, queues: ChatQueues, onFree: () => void) {
    this.#clock = clock;
    this.#queues = queues;
    this.#onFree = onFree;
  }

  /**
   * Makes a chat wait after a failure, or because the platform asked for it (`isLimit`). It waits for the longest of its
   * rows, so that none is sent before its time when it becomes the first.
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

  /** Makes a chat wait for the platform's pace, without a failure. All these chats share one timer. */
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

/**
 * Asks the platform's pace for one message. Returns 0 if it may be sent now, else the milliseconds after which to ask again.
 * A plugin without a pace, or with one that breaks its contract, makes no message wait: the platform still has its limits.
 */
export function askPace(pace: PaceAbility | undefined, address: string, log: Log): number {
  if (pace === undefined || !isAddress(address)) return 0;
  try {
    const waitMs = pace.take(address);
    return waitMs > 0 ? Math.min(Math.max(waitMs, MIN_PACE_MS), MAX_PACE_MS) : 0;
  } catch (error) {
    log.warn({ err: error, address }, "a plugin's pace could not be asked; the message goes without it");
    return 0;
  }
}
