import { getRefusal } from "./refusal.ts";
import { syncFile } from "./transcript-file.ts";

/**
 * Files that were appended to and not synced yet. They are synced a few at a time, since every sync holds up the
 * commits of the database; what is appended meanwhile waits for the next round.
 */
export class UnsyncedFiles {
  #round = new Set<string>();
  #roundPos = 0;
  /** For good: what a failed sync lost is only found by the comparison at the next start. */
  #hasFailed = false;
  #next = new Set<string>();

  get size(): number {
    return this.#round.size + this.#next.size;
  }

  get isInRound(): boolean {
    return this.#round.size > 0;
  }

  add(path: string): void {
    this.#next.add(path);
  }

  /**
   * Syncs at most `limit` files. `pos`: the last entry that was appended. Answers the place up to which every entry is
   * now surely on the disk, once a round has ended; nothing is sure any more after a failure.
   */
  sync(limit: number, pos: number, warn: (cause: string) => void): number | undefined {
    if (this.#round.size === 0) this.#beginRound(pos);
    let left = limit;
    for (const path of this.#round) {
      if (left === 0) return undefined;
      left -= 1;
      this.#round.delete(path);
      this.#syncOne(path, warn);
    }
    return this.#hasFailed ? undefined : this.#roundPos;
  }

  #beginRound(pos: number): void {
    this.#round = this.#next;
    this.#roundPos = pos;
    this.#next = new Set();
  }

  #syncOne(path: string, warn: (cause: string) => void): void {
    try {
      syncFile(path);
    } catch (error) {
      warn(getRefusal(error));
      this.#hasFailed = true;
    }
  }
}
