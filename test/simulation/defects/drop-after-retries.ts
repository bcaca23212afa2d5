import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

const BUDGET_ATTEMPTS = 3;

/** Retries have a budget, and a delivery that has used it up is given up. */
export const dropAfterRetries: Defect = {
  name: "drop-after-retries",
  breaks: ["I8"],
  wrapStore: (store) =>
    rewriteSteps(store, (step) => {
      const isSpent = step.step === "settle" && step.outcome.state === "pending" && step.attempt >= BUDGET_ATTEMPTS;
      return isSpent ? { ...step, outcome: { state: "undeliverable", error: "too many attempts" } } : step;
    }),
};
