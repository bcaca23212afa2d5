import type { EndRuns, NewItem, Step, StepResult, StepResults, Store } from "@banyan/store";
import type { Defect } from "./defect.ts";

/** The end of a run is written first, and its requester is told by a step of its own. */
export const finishThenAnnounce: Defect = {
  name: "finish-then-announce",
  breaks: ["I1", "I3"],
  wrapStore(store) {
    function commit<S extends Step>(step: S): Promise<StepResult<S>>;
    async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
      const told: NewItem[] = [];
      const result = await store.commit(takeOut(step, told));
      const isEnded = result.status === "done" && !("run" in result && result.run === "waiting");
      if (isEnded) for (const item of told) await store.commit({ step: "enqueue", item });
      return result;
    }
    return { ...store, commit } satisfies Store;
  },
};

function takeOut(step: Step, told: NewItem[]): Step {
  const strip = <E extends EndRuns>(carried: E): E => ({
    ...carried,
    ends: carried.ends.map(({ completion, ...end }) => {
      if (completion !== undefined) told.push(completion);
      return end;
    }),
  });
  if (step.step === "end_runs") return strip(step);
  if (step.step === "commit_turn" && step.run !== undefined) return { ...step, run: strip(step.run) };
  return step.step === "command" && step.runs !== undefined ? { ...step, runs: strip(step.runs) } : step;
}
