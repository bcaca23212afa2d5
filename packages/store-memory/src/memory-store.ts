import type { Clock } from "@banyan/plugin-sdk";
import { type Step, type StepResult, type StepResults, type Store, StoreError } from "@banyan/plugin-sdk/store";
import type { CommitFault } from "./commit-fault.ts";
import { createMemoryData, type MemoryData } from "./memory-data.ts";
import { createMemoryReads } from "./reads/memory-reads.ts";
import { applyStep } from "./steps/apply-step.ts";

export interface MemoryStoreOptions {
  /** Without one, the machine's time. */
  readonly clock?: Pick<Clock, "now">;
  /** Without one, the store begins empty and takes its data along when it is closed. */
  readonly data?: MemoryData;
  /** Tests only: makes commits fail. */
  readonly fault?: CommitFault;
}

/**
 * The reference driver: every step is applied whole at the moment it is sent, and answered in a microtask. Nothing
 * outlives the process.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { clock = { now: () => Date.now() }, data = createMemoryData(), fault = () => "none" } = options;
  const listeners: ((error: StoreError) => void)[] = [];
  let end: StoreError | undefined;

  function fail(step: Step): StoreError {
    const error = new StoreError("closed", `Committing "${step.step}": the store failed; open it again.`);
    end = error;
    for (const listener of listeners) listener(error);
    return error;
  }

  function provoke(step: Step, when: "before" | "after"): StoreError | undefined {
    switch (fault(step, when)) {
      case "none":
        return undefined;
      case "commit_unknown":
        return new StoreError("commit_unknown", `Committing "${step.step}": no answer; send the same step again.`);
      case "full":
        if (when === "after")
          throw new RangeError(`Fault of "${step.step}": a full store writes nothing; use "before".`);
        return new StoreError("full", `Committing "${step.step}": no space is left; free some.`);
      case "closed":
        return fail(step);
    }
  }

  function commit<S extends Step>(step: S): Promise<StepResult<S>>;
  async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
    if (end) throw end;
    const before = provoke(step, "before");
    if (before) throw before;
    const result = applyStep(data, step, clock.now());
    const after = provoke(step, "after");
    if (after) throw after;
    return result;
  }

  return {
    driver: "memory",
    commit,
    read: createMemoryReads(data, clock, () => end),
    onFailure(listener) {
      listeners.push(listener);
    },
    async close() {
      end ??= new StoreError("closed", "The store was closed; open it again.");
    },
  };
}
