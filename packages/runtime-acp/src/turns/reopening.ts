import type { AcpRecord } from "@banyan/plugin-sdk";

/**
 * `fresh`: the agent knows nothing of the conversation. `next`: it knows what was before. `goOn`: it was at work on this very
 * turn when it was cut off. `lost`: so it was, and what it has done nobody knows: the turn cannot be repeated.
 */
export type Reopening = "fresh" | "next" | "goOn" | "lost";

/** What a turn has to do with what an earlier one left. Pure. */
export function decideReopening(
  kept: AcpRecord | undefined,
  { id, isTakenUp }: { readonly id: string; readonly isTakenUp: boolean },
  turnId: string,
): Reopening {
  const wasUnderWay = kept?.turnId === turnId;
  if (!isTakenUp || kept?.identity.agentSessionId !== id) return wasUnderWay ? "lost" : "fresh";
  return wasUnderWay ? "goOn" : "next";
}
