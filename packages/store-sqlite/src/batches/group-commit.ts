import { StoreError } from "@banyan/store";
import type { Operation, Reply } from "../worker/batch-runner.ts";

/** Keeps one transaction short enough that nobody waits long behind it. */
const LARGEST_BATCH = 256;

/** Somebody who waits for the end of one operation. Methods, since each waits for an answer of a kind of its own. */
interface Waiter {
  readonly operation: Operation;
  resolve(value: unknown): void;
  reject(error: StoreError): void;
}

/**
 * Collects what is asked in one microtask into one batch, and what is asked while the worker is busy into the next one.
 * Everything is sent in the order it was asked, so a read sees every step before it.
 */
export class GroupCommit {
  readonly #post: (operations: readonly Operation[]) => void;
  #waiters: Waiter[] = [];
  #inFlight: Waiter[] = [];
  #isScheduled = false;
  #isInterrupted = false;
  #end: StoreError | undefined;
  #idle: (() => void)[] = [];

  constructor(post: (operations: readonly Operation[]) => void) {
    this.#post = post;
  }

  submit<T>(operation: Operation): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#end !== undefined) {
        reject(this.#end);
        return;
      }
      this.#waiters.push({ operation, resolve, reject });
      this.#schedule();
    });
  }

  /** The answers to the batch that is on its way. */
  settle(replies: readonly Reply[]): void {
    const waiters = this.#inFlight;
    this.#inFlight = [];
    replies.forEach((reply, index) => {
      const waiter = waiters[index];
      if ("error" in reply) waiter?.reject(new StoreError(reply.error.code, reply.error.message));
      else waiter?.resolve(reply.value);
    });
    this.#flush();
  }

  /** From now on everything is refused with `end`; what was asked before is still answered. Resolves when it is. */
  async finish(end: StoreError): Promise<void> {
    this.#end ??= end;
    if (this.#waiters.length === 0 && this.#inFlight.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /**
   * The worker is gone and another one comes: nothing is sent until `resume`. A step that was sent may have been
   * committed, so its caller sends it again; a read is asked again here, before all that was not sent.
   */
  interrupt(unknown: StoreError): void {
    this.#isInterrupted = true;
    const sent = this.#inFlight;
    this.#inFlight = [];
    this.#waiters.unshift(...sent.filter(({ operation }) => "read" in operation));
    for (const waiter of sent) if ("step" in waiter.operation) waiter.reject(unknown);
  }

  resume(): void {
    this.#isInterrupted = false;
    this.#flush();
  }

  /** The worker will not answer again. What was sent may have been committed, what was not sent was not. */
  abandon(end: StoreError, unknown: StoreError): void {
    this.#end = end;
    const sent = this.#inFlight;
    const unsent = this.#waiters;
    this.#inFlight = [];
    this.#waiters = [];
    for (const waiter of sent) waiter.reject(unknown);
    for (const waiter of unsent) waiter.reject(unknown);
    this.#wakeIdle();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight.length > 0) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isInterrupted || this.#inFlight.length > 0) return;
    if (this.#waiters.length === 0) {
      this.#wakeIdle();
      return;
    }
    const waiters = this.#waiters;
    this.#waiters = waiters.length > LARGEST_BATCH ? waiters.splice(LARGEST_BATCH) : [];
    this.#inFlight = waiters;
    this.#post(waiters.map(({ operation }) => operation));
  }

  #wakeIdle(): void {
    const idle = this.#idle;
    this.#idle = [];
    for (const wake of idle) wake();
  }
}
