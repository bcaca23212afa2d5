import type { ItemRow, Step, StepResult, StepResults, Store } from "@banyan/store";
import type { Ground } from "../world/ground.ts";
import type { Defect } from "./defect.ts";

/** Never finds the turn that ends the process. */
export const blamelessSuspects: Defect = {
  name: "blameless-suspects",
  breaks: ["I26", "rest"],
  needsStaging: "poison",
  wrapStore: (store, ground) => recount(store, ground, () => 0),
};

/** Sets aside turns that were only there when something else ended the process. */
export const everyonePays: Defect = {
  name: "everyone-pays",
  breaks: ["I26"],
  needsStaging: "kills",
  wrapStore: (store, ground) => recount(store, ground, ({ attempt }) => attempt + 1),
};

/** A store that counts other attempts where the process has died. */
function recount(store: Store, { data, store: { tamper } }: Ground, count: (item: ItemRow) => number): Store {
  function commit<S extends Step>(step: S): Promise<StepResult<S>>;
  async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
    const lanes = step.step === "recover" ? [...data.ownedLanes] : [];
    const seqs = lanes
      .filter(({ owner }) => step.step === "recover" && owner !== step.owner)
      .flatMap(({ active }) => active);
    const result = await store.commit(step);
    for (const seq of seqs) {
      const item = data.items.get(seq);
      if (item?.row.state !== "waiting") continue;
      tamper.setAttempt(seq, count(item.row));
    }
    return result;
  }
  return { ...store, commit };
}
