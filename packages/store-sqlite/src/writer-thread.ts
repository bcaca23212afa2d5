import type { Clock, Log } from "@banyan/plugin-sdk";
import { type Step, type StepResult, StoreError, type StoreReads } from "@banyan/store";
import { GroupCommit } from "./batches/group-commit.ts";
import { createStoreReads } from "./reads/read-request.ts";
import { createRevival } from "./revival.ts";
import type { ToWriter, WriterOptions } from "./worker/writer-message.ts";
import type { WorkerThread } from "./worker-thread.ts";
import { startWriterLife, type WriterEnd } from "./writer-life.ts";

export interface WriterParts {
  readonly clock: Clock;
  readonly log: Log | undefined;
  /** Something was committed. `agents`: whose sessions changed. */
  onCommit(agents: readonly string[]): void;
  /** At most once: nothing can be committed any longer. */
  onFailure(error: StoreError): void;
}

/** After this time without a step the log is moved into the database file. */
const IDLE_AFTER_MS = 1_000;

/**
 * The main side of the writing worker. One that dies is started once more: what was on its way rejects with
 * `commit_unknown`, what was only asked for waits. One that dies again soon has failed for good.
 */
export class WriterThread {
  readonly read: StoreReads;
  #options: WriterOptions;
  readonly #parts: WriterParts;
  readonly #group: GroupCommit;
  readonly #isRevived: () => boolean;
  readonly #opened = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #life: WorkerThread<ToWriter>;
  #isOpened = false;
  #isClosing = false;
  #lastStepAtMs = 0;
  #cancelIdle: (() => void) | undefined;

  constructor(options: WriterOptions, parts: WriterParts) {
    this.#options = options;
    this.#parts = parts;
    this.#isRevived = createRevival(parts.clock);
    this.#group = new GroupCommit((operations) =>
      this.#life.post({ type: "batch", nowMs: parts.clock.now(), operations }),
    );
    this.read = createStoreReads((request) => this.#group.submit(request));
    this.#life = this.#begin();
  }

  /** Resolves when the database is open. Rejects with a `StoreError`. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  commit<S extends Step>(step: S): Promise<StepResult<S>> {
    return this.#group.submit(step);
  }

  /** Refuses everything from now on with this error, and answers what was asked before. */
  finish(end: StoreError): Promise<void> {
    return this.#group.finish(end);
  }

  /** Moves the log into the database file, after what was asked before. */
  moveLog(): void {
    if (this.#isOpened && !this.#isClosing) this.#life.post({ type: "move_log" });
  }

  /** Closes the database, after `finish`. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelIdle?.();
    this.#life.post({ type: "close" });
    return this.#ended.promise;
  }

  /** Tests only: kills the worker where it stands. */
  terminate(): Promise<void> {
    return this.#life.terminate();
  }

  #begin(): WorkerThread<ToWriter> {
    return startWriterLife(this.#options, {
      onOpened: (database) => {
        this.#isOpened = true;
        // A restarted worker opens what this one has opened, or nothing.
        this.#options = { ...this.#options, fresh: "refuse", ...(database === undefined ? {} : { database }) };
        this.#opened.resolve();
        this.#group.resume();
      },
      onBatch: ({ replies, hasSteps, agents }) => {
        this.#group.settle(replies);
        if (!hasSteps) return;
        this.#parts.onCommit(agents);
        this.#awaitIdle();
      },
      onLogLeft: () => this.#awaitIdle(),
      onEnd: (end) => this.#end(end),
    });
  }

  /** One timer at a time, however many steps there are. */
  #awaitIdle(): void {
    const { clock } = this.#parts;
    this.#lastStepAtMs = clock.monotonic();
    if (this.#cancelIdle !== undefined || this.#isClosing) return;
    const look = (): void => {
      const leftMs = this.#lastStepAtMs + IDLE_AFTER_MS - clock.monotonic();
      this.#cancelIdle = leftMs > 0 ? clock.schedule(leftMs, look) : undefined;
      if (leftMs <= 0) this.moveLog();
    };
    this.#cancelIdle = clock.schedule(IDLE_AFTER_MS, look);
  }

  #end(end: WriterEnd): void {
    if (end.how === "closed") {
      this.#ended.resolve();
      return;
    }
    const { error } = end;
    if (!this.#isOpened) {
      this.#opened.reject(error);
      return;
    }
    const unknown = new StoreError("commit_unknown", error.message, { cause: error });
    if (end.how === "died" && end.canRevive && !this.#isClosing && this.#isRevived()) {
      this.#parts.log?.error({ cause: error.message }, "the store's worker died; it is started again");
      this.#group.interrupt(unknown);
      this.#life = this.#begin();
      return;
    }
    this.#group.abandon(new StoreError("closed", error.message, { cause: error }), unknown);
    this.#parts.onFailure(error);
    this.#ended.resolve();
  }
}
