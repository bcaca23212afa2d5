import type { EndRuns } from "@banyan/store";
import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** What ends leaves what it has asked for at work. */
export const noCascade: Defect = {
  name: "no-cascade",
  // What a sub-agent in a thread asked for is told there: of an end that was left out, too.
  breaks: ["I17", "rest", "I10"],
  wrapStore: (store) =>
    rewriteSteps(store, (step) => {
      if (step.step === "end_runs") return leaveBelow(step);
      return step.step === "command" && step.runs !== undefined ? { ...step, runs: leaveBelow(step.runs) } : step;
    }),
};

function leaveBelow<E extends EndRuns>(carried: E): E {
  return { ...carried, closed: [], closedRuns: [], ends: carried.ends.slice(-1) };
}
