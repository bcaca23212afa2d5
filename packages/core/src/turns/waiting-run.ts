import { isRunToWait, type RunRow, type StoreReads, UNFINISHED_STATES } from "@banyan/store";
import type { Turn } from "./compose-turn.ts";

/** More than one turn may ask for. */
const MOST_CHILDREN = 1_000;
const OPEN_ITEMS = 1_000;

/**
 * Whether a run has more to come than this turn, as it stands now; the store decides by the same when it commits the
 * turn's end, and refuses it where that has changed.
 */
export async function readRunToWait(
  { runId, childSessionKey: lane }: RunRow,
  { taken }: Pick<Turn, "taken">,
  read: StoreReads,
): Promise<boolean> {
  const [children, items] = await Promise.all([
    read.runs({ parentRunId: runId, states: UNFINISHED_STATES, limit: MOST_CHILDREN }),
    read.openItems({ lane, limit: OPEN_ITEMS }),
  ]);
  const own = items.filter((item) => item.runId === runId && item.wake !== "append");
  const left = {
    awaitsRun: () => children.some(({ isAwaited }) => isAwaited),
    holdsInput: () => own.some(({ state }) => state === "held"),
    listWaiting: () => own.flatMap(({ seq, state }) => (state === "waiting" ? seq : [])),
  };
  return isRunToWait(left, taken);
}
