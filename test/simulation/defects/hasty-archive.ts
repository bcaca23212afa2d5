import type { Step, StepResult, StepResults } from "@banyan/store";
import type { Defect } from "./defect.ts";

/** A session is put away though it has work that is not done. */
export const hastyArchive: Defect = {
  name: "hasty-archive",
  breaks: ["I19"],
  wrapStore(store, { data, store: { tamper } }) {
    function commit<S extends Step>(step: S): Promise<StepResult<S>>;
    async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
      const result = await store.commit(step);
      if (result.status === "refused" && result.reason === "busy") {
        if (step.step === "archive_session") tamper.archive(step.key);
        if (step.step === "archive_run") tamper.archive(data.runs.records.get(step.runId)?.row.childSessionKey ?? "");
      }
      return result;
    }
    return { ...store, commit };
  },
};
