import type { Step, StepResult, StepResults } from "@banyan/store";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Defect } from "./defect.ts";

/** What is to be sent once at most is sent again by the process behind the one that died over it. */
export const sentAgain: Defect = {
  name: "sent-again",
  breaks: ["I9"],
  needsMagpies: true,
  wrapStore(store, { data, store: { tamper } }) {
    function commit<S extends Step>(step: S): Promise<StepResult<S>>;
    async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
      if (step.step !== "recover") return store.commit(step);
      const once = listOnce(data);
      for (const id of once) tamper.setPolicy(id, "at-least-once");
      const result = await store.commit(step);
      for (const id of once) tamper.setPolicy(id, "at-most-once");
      return result;
    }
    return { ...store, commit };
  },
};

function listOnce({ deliveries, unsettledDeliveries }: StoreMirror): readonly string[] {
  const sending = [...(unsettledDeliveries.get("sending") ?? [])];
  return sending.filter((id) => deliveries.get(id)?.row.policy === "at-most-once");
}
