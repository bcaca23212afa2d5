import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** What a turn writes is taken whoever holds the lane by now. */
export const noEpochFence: Defect = {
  name: "no-epoch-fence",
  breaks: ["I4", "I6", "I7"],
  wrapStore: (store, { data }) =>
    rewriteSteps(store, (step) => {
      if (step.step !== "commit_turn" && step.step !== "tool_result") return step;
      return { ...step, epoch: data.lanes.get(step.lane)?.epoch ?? step.epoch };
    }),
};
