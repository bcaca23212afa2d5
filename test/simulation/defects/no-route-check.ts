import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** What was decided about a message is stored, whoever was let in, kept out, linked or parted meanwhile. */
export const noRouteCheck: Defect = {
  name: "no-route-check",
  breaks: ["access", "privacy"],
  // What people write for the first time has a fence of its own, so it shows only where a message meets a change.
  mostSeeds: 1_000,
  wrapStore: (store) =>
    rewriteSteps(store, (step) => {
      if (step.step !== "receive") return step;
      const { routeRevision: _, ...rest } = step;
      return rest;
    }),
};
