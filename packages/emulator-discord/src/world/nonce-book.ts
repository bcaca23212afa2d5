/** "The past few minutes" of the reference (Create Message, enforce_nonce); its exact length is nowhere written. */
const NONCE_WINDOW_MS = 5 * 60_000;

interface Entry {
  readonly channelId: string;
  readonly messageId: string;
  readonly atMs: number;
}

/** Which message an author's nonce made, for as long as Discord remembers it (D5). */
export class NonceBook {
  readonly #entries = new Map<string, Entry>();

  find(authorId: string, nonce: string | number, nowMs: number): Entry | undefined {
    this.#forgetOld(nowMs);
    return this.#entries.get(`${authorId}|${nonce}`);
  }

  add(authorId: string, nonce: string | number, entry: Entry): void {
    const key = `${authorId}|${nonce}`;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  /** Entries stand in the order of their times, so looking ends at the first that still counts. */
  #forgetOld(nowMs: number): void {
    for (const [key, { atMs }] of this.#entries) {
      if (nowMs - atMs < NONCE_WINDOW_MS) return;
      this.#entries.delete(key);
    }
  }
}
