/** A thread that only its members see (Discord documentation, "Channel Resource": channel types). */
export const PRIVATE_THREAD = 12;

/** Of deleted threads only those count that an answer is on its way to. */
const MOST_DELETED = 1_000;

/** What this life of an account has learnt of threads that nothing can be sent to any more. */
export class ThreadFates {
  readonly #deletedForAll = new Set<string>();

  /** Discord tells the type of a deleted thread, and nothing else of it any more. */
  noteDeleted(threadId: string, type: number): void {
    if (type === PRIVATE_THREAD) return;
    this.#deletedForAll.add(threadId);
    const [oldest] = this.#deletedForAll;
    if (this.#deletedForAll.size > MOST_DELETED && oldest !== undefined) this.#deletedForAll.delete(oldest);
  }

  /** It was deleted, and all who read its channel could read it. */
  wasForAll(threadId: string): boolean {
    return this.#deletedForAll.has(threadId);
  }
}
