import type { Clock } from "@banyan/plugin-sdk";
import { type Step, type StepResult, type Store, StoreError } from "@banyan/store";
import { createStoreReads, type ReadRequest } from "../reads/read-request.ts";
import { BrokenConnection, type Operation } from "../worker/batch-runner.ts";
import { type InlineDatabase, openInlineDatabase } from "./inline-database.ts";

/**
 * What a test makes go wrong with a step. `commit_unknown`: the caller does not learn the end, the step was not written
 * (`before`) or was (`after`). `full`: nothing was written; only `before`. `closed`: the store fails for good, before or
 * after the step was written.
 */
export type CommitFaultAnswer = "none" | "commit_unknown" | "full" | "closed";

/** Asked twice for each step: before it is written, and after unless the first answer kept it from being written. */
export type CommitFault = (step: Step, when: "before" | "after") => CommitFaultAnswer;

export interface InlineStoreOptions {
  /** Without one, the machine's time. */
  readonly clock?: Pick<Clock, "now"> | undefined;
  /** Owned by the caller, so that a second store can go on where the first one was closed. Without one, the store has its own and closes it. */
  readonly data?: InlineDatabase | undefined;
  /** Tests only: makes commits fail. */
  readonly fault?: CommitFault | undefined;
}

/** Waits for the answer to one read. A method, since each waits for an answer of another kind. */
interface Waiter {
  resolve(value: unknown): void;
}

/**
 * The store without threads and without a file, for tries and tests: every step is a transaction of its own at the moment
 * it is sent, and is answered in a microtask. Nothing outlives the process.
 */
export function createInlineStore(options: InlineStoreOptions = {}): Store {
  const { clock = { now: () => Date.now() }, fault = () => "none" } = options;
  const data = options.data ?? openInlineDatabase();
  const { life } = data;
  const listeners: ((error: StoreError) => void)[] = [];
  let end: StoreError | undefined;
  data.forget();

  function fail(error: StoreError): StoreError {
    end = error;
    for (const listener of listeners) listener(error);
    return error;
  }

  function provoke(step: Step, when: "before" | "after"): void {
    switch (fault(step, when)) {
      case "none":
        return;
      case "commit_unknown":
        throw new StoreError("commit_unknown", `Committing "${step.step}": no answer; send the same step again.`);
      case "full":
        if (when === "after")
          throw new RangeError(`Fault of "${step.step}": a full store writes nothing; use "before".`);
        throw new StoreError("full", `Committing "${step.step}": no space is left; free some.`);
      case "closed":
        throw fail(new StoreError("closed", `Committing "${step.step}": the store failed; open it again.`));
    }
  }

  /** Throws where the operation failed, as the answer of a store with threads is rejected then. */
  function run(operation: Operation): unknown {
    if (data.life !== life) end ??= new StoreError("closed", "The store's database was cleared; open it again.");
    if (end) throw end;
    try {
      const [reply = { value: undefined }] = data.batches.run([operation], clock.now());
      if ("error" in reply) throw new StoreError(reply.error.code, reply.error.message);
      return reply.value;
    } catch (error) {
      throw error instanceof BrokenConnection ? fail(new StoreError(error.code, error.message)) : error;
    }
  }

  function commit<S extends Step>(step: S): Promise<StepResult<S>>;
  async function commit(step: Step): Promise<unknown> {
    if (end) throw end;
    provoke(step, "before");
    const result = run(step);
    provoke(step, "after");
    return result;
  }

  return {
    driver: "memory",
    commit,
    read: createStoreReads(
      <T>(request: ReadRequest) =>
        new Promise<T>((resolve) => {
          const waiter: Waiter = { resolve };
          waiter.resolve(run(request));
        }),
    ),
    onFailure(listener) {
      listeners.push(listener);
    },
    async close() {
      end ??= new StoreError("closed", "The store was closed; open it again.");
      if (options.data === undefined) data.close();
    },
  };
}
