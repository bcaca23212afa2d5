import type { Store } from "@banyan/plugin-sdk/store";
import { commitStep } from "./ports/commit-step.ts";
import type { Ports } from "./ports/ports.ts";

const PRUNE_EVERY_MS = 60 * 60_000;
/** As long as a message that the platform sends again is still known. */
const KEEP_SETTLED_MS = 30 * 24 * 60 * 60_000;
const PRUNE_ROWS = 10_000;

/** Removes settled items and deliveries that nothing asks for any more, every hour. The disposer ends it. */
export function startHousekeeping(store: Store, ports: Ports): () => void {
  let cancel = (): void => undefined;
  const prune = async () => {
    try {
      const pruned = await commitStep(store, { step: "prune", olderThanMs: KEEP_SETTLED_MS, limit: PRUNE_ROWS });
      if (pruned.removed > 0) ports.log.info({ removed: pruned.removed }, "settled rows were removed");
    } catch (error) {
      ports.log.error({ err: error }, "settled rows could not be removed");
    }
  };
  const arm = () => {
    cancel = ports.clock.schedule(PRUNE_EVERY_MS, () => {
      void prune().then(arm);
    });
  };
  arm();
  return () => cancel();
}
