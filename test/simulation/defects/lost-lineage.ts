import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** A child's record does not say which agents are above it, so that only its own may use less. */
export const lostLineage: Defect = {
  name: "lost-lineage",
  breaks: ["I15"],
  wrapStore: (store) =>
    rewriteSteps(store, (step) => {
      if (step.step !== "accept_run" || step.session === undefined) return step;
      const { spawnLineage: _, ...entry } = JSON.parse(step.session.body);
      return { ...step, session: { ...step.session, body: JSON.stringify(entry) } };
    }),
};
