import type { Step, StepResult, StepResults } from "@banyan/store";
import type { Defect } from "./defect.ts";

/** Which message is edited is known in memory only: the next process edits another one. */
export const unstoredAnchor: Defect = {
  name: "unstored-anchor",
  breaks: ["anchors"],
  needsMagpies: true,
  wrapStore(store) {
    function commit<S extends Step>(step: S): Promise<StepResult<S>>;
    async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
      return step.step === "anchor" ? { status: "done" } : store.commit(step);
    }
    return { ...store, commit };
  },
};
