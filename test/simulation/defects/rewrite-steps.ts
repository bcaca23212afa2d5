import type { Step, StepResult, StepResults, Store } from "@banyan/store";

/** A store that is sent other steps than its caller sends. */
export function rewriteSteps(store: Store, rewrite: (step: Step) => Step): Store {
  function commit<S extends Step>(step: S): Promise<StepResult<S>>;
  function commit(step: Step): Promise<StepResults[keyof StepResults]> {
    return store.commit(rewrite(step));
  }
  return { ...store, commit };
}
