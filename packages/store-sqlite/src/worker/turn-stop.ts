import type { TurnStop } from "@banyan/store";
import type { Lane } from "./lane-table.ts";
import type { Tables } from "./tables.ts";

/** The lane that is stopped, as it was. A command's own may be at rest, unless it says otherwise; another one is run by somebody. */
export function findStopped(tables: Tables, { lane, epoch, isRunning }: TurnStop, own?: string): Lane | undefined {
  const found = tables.lanes.find(lane ?? own ?? "");
  const mayRest = (lane === undefined || lane === own) && isRunning !== true;
  return found?.epoch === epoch && (mayRest || found.owner !== undefined) ? found : undefined;
}

/** Its lane is left to be freed. */
export function stopTurn(tables: Tables, lane: Lane, stop: TurnStop, sessionKey: string): void {
  const itemSeq = lane.owner === undefined ? undefined : lane.claimSeq;
  tables.entries.append({ sessionId: stop.sessionId, sessionKey: stop.lane ?? sessionKey, itemSeq }, stop.entries);
  for (const seq of stop.taken ?? []) tables.items.endWaitingMessage(lane.id, seq);
  if (itemSeq === undefined) return;
  // What a completion tells may not be written yet: it is, with the next turns of the lane.
  if (tables.items.find(itemSeq)?.kind === "completion") tables.items.appendAgain(itemSeq);
  else tables.items.end(itemSeq, "done", undefined);
}
