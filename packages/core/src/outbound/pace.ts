import { type Clock, isAddress, type Log, type PaceAbility } from "@banyan/plugin-sdk";
import type { ChatQueue, ChatQueues } from "./chat-queue.ts";

/** Rate limits of a whole account that run now. It waits for the longest. */
export class AccountHold {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #untilMs = 0;

  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  /** How long nothing may be sent; 0 when something may. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - this.#clock.monotonic());
  }

  begin(delayMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, this.#clock.monotonic() + delayMs);
    this.#wait(delayMs);
  }

  /** A timer may ring a fraction of a millisecond early; then nobody would ever go on. */
  #wait(delayMs: number): void {
    this.#clock.schedule(delayMs, () => {
      if (this.leftMs > 0) this.#wait(this.leftMs);
      else this.#onEnd();
    });
  }
}

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

/** However long a platform's pace is, it is asked again after this. */
const LONGEST_PACE_MS = 60_000;
/** A shorter wait would be a busy one. */
const SHORTEST_PACE_MS = 1;

/**
 * The milliseconds after which to ask again; 0: the place is taken, send now. A plugin without a pace, or with one that
 * breaks its contract, keeps nobody waiting: the platform itself still says when it is too much.
 */
export function askPace(pace: PaceAbility | undefined, address: string, log: Log): number {
  if (pace === undefined || !isAddress(address)) return 0;
  try {
    const waitMs = pace.take(address);
    return waitMs > 0 ? Math.min(Math.max(waitMs, SHORTEST_PACE_MS), LONGEST_PACE_MS) : 0;
  } catch (error) {
    log.warn({ err: error, address }, "a plugin's pace could not be asked; the message goes without it");
    return 0;
  }
}
