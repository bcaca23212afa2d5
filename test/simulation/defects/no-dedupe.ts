import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** A message that the platform sends again is a new one. */
export const noDedupe: Defect = {
  name: "no-dedupe",
  breaks: ["I13"],
  wrapStore(store, ground) {
    return rewriteSteps(store, (step) => {
      if (step.step !== "receive") return step;
      const items = step.items.map((item) => ({ ...item, dedupe: `${item.dedupe} ${ground.createId()}` }));
      return { ...step, items };
    });
  },
};
