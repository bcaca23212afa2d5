import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** A chat's sessions move, and what is on its way there does not. */
export const leftBehind: Defect = {
  name: "left-behind",
  breaks: ["moves", "rest", "I8", "I10"],
  wrapStore: (store) =>
    rewriteSteps(store, (step) => (step.step === "migrate_chat" ? { ...step, addresses: [] } : step)),
};
