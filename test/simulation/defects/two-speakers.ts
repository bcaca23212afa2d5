import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** A requester tells the chat of a run's end, whoever has done so or will: nobody is put on record. */
export const twoSpeakers: Defect = {
  name: "two-speakers",
  breaks: ["speaker"],
  wrapStore: (store) =>
    rewriteSteps(store, (step) => {
      if (step.step !== "commit_turn") return step;
      const { speeches: _, ...rest } = step;
      return rest;
    }),
};
