import type { Step, StepResult, StepResults } from "@banyan/store";
import type { Defect } from "./defect.ts";

/** A run's end is written whatever the run is by now: the last one who ends it has the word. */
export const noCompareAndSet: Defect = {
  name: "no-compare-and-set",
  breaks: ["I2", "I3"],
  wrapStore(store, { clock, store: { tamper } }) {
    function commit<S extends Step>(step: S): Promise<StepResult<S>>;
    async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
      const result = await store.commit(step);
      const isLate = result.status === "refused" || result.status === "already";
      if (isLate && step.step === "end_runs") for (const end of step.ends) tamper.endAgain(end, clock.now());
      if (isLate && step.step === "commit_turn")
        for (const end of step.run?.ends ?? []) tamper.endAgain(end, clock.now());
      return result;
    }
    return { ...store, commit };
  },
};
