import type { RunRow, StoreReads } from "@banyan/store";
import { UNFINISHED_STATES } from "../runs/run-record.ts";
import type { Turn } from "./compose-turn.ts";

/** More than one turn may ask for. */
const MOST_CHILDREN = 1_000;
const OPEN_ITEMS = 1_000;

/**
 * Whether a run has more to come than this turn, as it stands now; the store decides by the same when it commits the
 * turn's end, and refuses it where that has changed.
 */
export async function isRunToWait(
  { runId, childSessionKey: lane }: RunRow,
  { taken }: Pick<Turn, "taken">,
  read: StoreReads,
): Promise<boolean> {
  const [children, items] = await Promise.all([
    read.runs({ parentRunId: runId, states: UNFINISHED_STATES, limit: MOST_CHILDREN }),
    read.openItems({ lane, limit: OPEN_ITEMS }),
  ]);
  if (children.some(({ isAwaited }) => isAwaited)) return true;
  return items.some(
    (item) => item.runId === runId && item.state !== "active" && item.wake !== "append" && !taken.includes(item.seq),
  );
}
