import type { Claim, NewItem } from "@banyan/store";
import type { Tables } from "./tables.ts";

/** A claim as it is answered, also when it is answered again. `undefined`: its item was removed long ago. */
export function findClaim(
  tables: Tables,
  claimed: { readonly lane: string; readonly epoch: number; readonly itemSeq: number },
  knownRevision: number | undefined,
): Claim | undefined {
  const item = tables.items.find(claimed.itemSeq);
  if (item === undefined) return undefined;
  const session = tables.sessions.findUnlessKnown(claimed.lane, knownRevision);
  const claim = { lane: claimed.lane, epoch: claimed.epoch, item };
  return session === undefined ? claim : { ...claim, session };
}

/** An item that asks the agent for a run makes that run `running`. A plain one costs nothing. */
export function startRunOf(tables: Tables, { runId, wake }: Pick<NewItem, "runId" | "wake">, nowMs: number): void {
  if (runId !== undefined && wake !== "append") tables.runs.start(runId, nowMs);
}
