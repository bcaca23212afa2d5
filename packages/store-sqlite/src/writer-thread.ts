import type { Clock } from "@banyan/plugin-sdk";
import { type Step, type StepResult, StoreError, type StoreReads } from "@banyan/plugin-sdk/store";
import { GroupCommit } from "./batches/group-commit.ts";
import { formatCause } from "./database/sqlite-error.ts";
import { createStoreReads } from "./reads/read-request.ts";
import type { FromWriter, ToWriter, WriterOptions } from "./worker/writer-message.ts";
import { startThread, type WorkerThread } from "./worker-thread.ts";

export interface WriterListeners {
  /** Something was committed. `agents`: whose sessions changed. */
  onCommit(agents: readonly string[]): void;
  /** At most once: the worker can commit no longer. */
  onFailure(error: StoreError): void;
}

/** The main side of the writing worker. */
export interface WriterThread {
  readonly read: StoreReads;
  commit<S extends Step>(step: S): Promise<StepResult<S>>;
  /** Refuses everything from now on with this error, and answers what was asked before. */
  finish(end: StoreError): Promise<void>;
  /** Closes the database, after `finish`. */
  close(): Promise<void>;
  /** Tests only: kills the worker where it stands. */
  terminate(): Promise<void>;
}

/** Resolves when the database is open and the lock is held. Rejects with a `StoreError`. */
export function startWriter(options: WriterOptions, clock: Clock, listeners: WriterListeners): Promise<WriterThread> {
  const opening = Promise.withResolvers<WriterThread>();
  const ended = Promise.withResolvers<void>();
  let failure: Extract<FromWriter, { type: "failed" }> | undefined;
  let isOpened = false;
  let isClosed = false;
  const thread: WorkerThread<ToWriter> = startThread<ToWriter, FromWriter>("worker", options, {
    onMessage(message) {
      switch (message.type) {
        case "opened":
          isOpened = true;
          opening.resolve(writer);
          break;
        case "refused":
          opening.reject(buildRefusal(message));
          break;
        case "batch":
          group.settle(message.replies);
          if (message.hasSteps) listeners.onCommit(message.agents);
          break;
        case "failed":
          failure = message;
          break;
        case "closed":
          isClosed = true;
          break;
      }
    },
    onEnd(death) {
      const error = buildEnd(options.stateDir, failure, death);
      opening.reject(error);
      if (isOpened && !isClosed) {
        const end = new StoreError("closed", error.message, { cause: error });
        group.abandon(end, new StoreError("commit_unknown", error.message, { cause: error }));
        listeners.onFailure(error);
      }
      ended.resolve();
    },
  });
  const group = new GroupCommit((operations) => thread.post({ type: "batch", nowMs: clock.now(), operations }));
  const writer: WriterThread = {
    read: createStoreReads((request) => group.submit(request)),
    commit: (step) => group.submit(step),
    finish: (end) => group.finish(end),
    close() {
      thread.post({ type: "close" });
      return ended.promise;
    },
    terminate: () => thread.terminate(),
  };
  return opening.promise;
}

function buildRefusal(message: Extract<FromWriter, { type: "refused" }>): StoreError {
  const { holderPid } = message;
  return new StoreError(message.code, message.message, holderPid === undefined ? {} : { holderPid });
}

function buildEnd(
  stateDir: string,
  failure: Extract<FromWriter, { type: "failed" }> | undefined,
  death: unknown,
): StoreError {
  if (failure?.code === "corrupt") {
    return new StoreError(
      "corrupt",
      `writing the store in ${stateDir}: the database is damaged (${failure.message}); stop, and restore the newest file of its folder backups`,
    );
  }
  const cause = failure?.message ?? (death === undefined ? "its worker ended" : formatCause(death));
  return new StoreError(
    "unusable",
    `writing the store in ${stateDir}: ${cause}; what was on its way may be stored or not, start again`,
    { cause: death },
  );
}
