import type { EndRuns } from "@banyan/plugin-sdk/store";
import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** What ends leaves what it has asked for at work. */
export const noCascade: Defect = {
  name: "no-cascade",
  breaks: ["I17", "rest"],
  wrapStore: (store) =>
    rewriteSteps(store, (step) => {
      if (step.step === "end_runs") return leaveBelow(step);
      return step.step === "command" && step.runs !== undefined ? { ...step, runs: leaveBelow(step.runs) } : step;
    }),
};

function leaveBelow<E extends EndRuns>(carried: E): E {
  return { ...carried, closed: [], ends: carried.ends.slice(-1) };
}
