import type { Clock } from "@banyan/plugin-sdk";

/** A thread that only its members see (Discord documentation, "Channel Resource": channel types). */
export const PRIVATE_THREAD = 12;

/** Only those count that an answer is on its way to, or that somebody writes in. */
const MOST_THREADS = 1_000;
/** Whether a thread is open again is told, mostly; an answer that is refused once in this time is no burden. */
const LONGEST_SHUT_MS = 10 * 60_000;

interface ShutThread {
  readonly parentId: string;
  /** By the monotonic clock. */
  readonly since: number;
}

/** What this life of an account has learnt of threads that nothing can be sent to any more. */
export class ThreadFates {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #deletedForAll = new Map<string, true>();
  readonly #shut = new Map<string, ShutThread>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Discord tells the type of a deleted thread, and nothing else of it any more. */
  noteDeleted(threadId: string, type: number): void {
    if (type !== PRIVATE_THREAD) keep(this.#deletedForAll, threadId, true);
  }

  /** It was deleted, and all who read its channel could read it. */
  wasForAll(threadId: string): boolean {
    return this.#deletedForAll.has(threadId);
  }

  /** It is there, and takes no message of the bot's. */
  noteShut(threadId: string, parentId: string): void {
    keep(this.#shut, threadId, { parentId, since: this.#clock.monotonic() });
  }

  /** Nobody could be answered there. */
  isShut(threadId: string): boolean {
    const shut = this.#shut.get(threadId);
    return shut !== undefined && this.#clock.monotonic() - shut.since < LONGEST_SHUT_MS;
  }

  /** The thread or its channel was changed, so it may take messages again. */
  noteChanged(channelId: string): void {
    for (const [threadId, { parentId }] of this.#shut)
      if (threadId === channelId || parentId === channelId) this.#shut.delete(threadId);
  }

  /** The bot has other roles, or a role other permissions. */
  noteRights(): void {
    this.#shut.clear();
  }
}

function keep<Fate>(threads: Map<string, Fate>, threadId: string, fate: Fate): void {
  threads.delete(threadId);
  threads.set(threadId, fate);
  const [oldest] = threads.keys();
  if (threads.size > MOST_THREADS && oldest !== undefined) threads.delete(oldest);
}
