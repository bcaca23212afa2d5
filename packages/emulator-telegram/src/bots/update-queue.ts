import { EmulatorError } from "../ports/error.ts";

/** An Update of the Bot API: its id and one named payload. */
export interface Update {
  readonly update_id: number;
  readonly [kind: string]: unknown;
}

/** Telegram keeps an update that nobody fetches for a day. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/** After so long without an update the next id is a random one, which may be lower. */
const IDLE_LIMIT_MS = 7 * 24 * 60 * 60 * 1000;

/** An offset further ahead than this is none of this queue's. */
const AHEAD_LIMIT = 10;

/** A bot that does not poll must not fill the memory of a bench. */
export const QUEUE_LIMIT = 100_000;

/** The updates of one bot that are not confirmed yet, in the order of their ids. */
export class UpdateQueue {
  #updates: Update[] = [];
  #times: number[] = [];
  #head = 0;
  #nextId: number;
  #lastAddedMs: number | undefined;
  readonly #pickId: (() => number) | undefined;

  /** `pickId` chooses where the ids go on after a long rest; where they left off if it is left out. */
  constructor(firstId: number, pickId?: () => number) {
    this.#nextId = firstId;
    this.#pickId = pickId;
  }

  get size(): number {
    return this.#updates.length - this.#head;
  }

  add(kind: string, payload: unknown, nowMs: number): void {
    if (this.size >= QUEUE_LIMIT) {
      throw new EmulatorError("limit_reached", `queueing an update: ${QUEUE_LIMIT} are unconfirmed; let the bot poll`);
    }
    if (nowMs - (this.#lastAddedMs ?? nowMs) >= IDLE_LIMIT_MS) {
      this.#forgetOld(nowMs);
      this.#nextId = this.#pickId?.() ?? this.#nextId;
    }
    this.#lastAddedMs = nowMs;
    this.#updates.push({ update_id: this.#nextId, [kind]: payload });
    this.#times.push(nowMs);
    this.#nextId += 1;
  }

  /**
   * Forgets every update below a positive `offset`, or all but the last `-offset`; what is left stays
   * until it is confirmed and is given again. An offset far ahead of the queue confirms nothing, as on the server.
   */
  confirm(offset: number, nowMs: number): void {
    this.#forgetOld(nowMs);
    if (offset > this.#nextId + AHEAD_LIMIT) return;
    if (offset < 0) this.#forget(Math.max(0, this.size + offset));
    else while (this.size > 0 && (this.#updates[this.#head]?.update_id ?? offset) < offset) this.#forget(1);
  }

  /** Forgets one update, as a webhook's 200 does; those before it stay. */
  remove(updateId: number): void {
    const at = this.#updates.findIndex((update, index) => index >= this.#head && update.update_id === updateId);
    if (at < 0) return;
    this.#updates.splice(at, 1);
    this.#times.splice(at, 1);
  }

  /** Forgets what is older than Telegram keeps anything. */
  expire(nowMs: number): void {
    this.#forgetOld(nowMs);
  }

  find(updateId: number): Update | undefined {
    return this.#updates.slice(this.#head).find((update) => update.update_id === updateId);
  }

  take(limit: number): readonly Update[] {
    return this.#updates.slice(this.#head, this.#head + limit);
  }

  clear(): void {
    this.#forget(this.size);
  }

  #forgetOld(nowMs: number): void {
    while (this.size > 0 && (this.#times[this.#head] ?? nowMs) < nowMs - RETENTION_MS) this.#forget(1);
  }

  #forget(count: number): void {
    this.#head += count;
    if (this.#head < 1024 && this.#head < this.#updates.length) return;
    this.#updates = this.#updates.slice(this.#head);
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }
}
