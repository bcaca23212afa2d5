import type { AcpRecord, SessionEntry } from "@banyan/plugin-sdk";
import type { SessionWrite } from "@banyan/store";
import { mergeSessionEntryWithPolicy } from "../../../sessions/merge-session-entry.ts";
import { buildSessionWrite } from "../../../sessions/session-record.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { isOfSettings } from "./check-foreign.ts";
import type { ForeignSession } from "./foreign-session.ts";

/** What a child's agent begins with instead of a session that knows nothing. */
export interface ForeignBeginning {
  readonly way: "resume" | "fork";
  readonly kept: AcpRecord;
  /** With `resume`: the session that has it no more. */
  readonly holder?: ForeignSession["holder"];
}

/** `undefined`: the child's agent, if it is a foreign one, begins a session of its own. */
export function decideForeignBeginning(
  { request, facts, target }: Pick<SpawnCase, "request" | "facts" | "target">,
  isForked: boolean,
): ForeignBeginning | undefined {
  if (request.resumeSessionId !== undefined && facts.foreignSession !== undefined) {
    const { kept, holder } = facts.foreignSession;
    return { way: "resume", kept, holder };
  }
  const kept = facts.requester.acp;
  // Where its agent does not fork, the copied transcript is told to a session of its own.
  const canFork = isForked && kept?.abilities?.canFork === true && isOfSettings(kept, target?.acp);
  return canFork && kept.identity.agentSessionId !== undefined ? { way: "fork", kept } : undefined;
}

/** The agent's side of the child, as it stands before its first turn. */
export function buildForeignRecord({ way, kept }: ForeignBeginning, now: number): AcpRecord {
  const { turnId: _, introduction: __, lastError: ___, gaveUp: ____, ...same } = kept;
  const { agentSessionId = "" } = kept.identity;
  return {
    // A copy may count on from what its parent has cost, or from nothing: then it tells less than that.
    ...same,
    // The session that is gone on with is the child's from now on; a copy has no id yet.
    identity: {
      state: "pending",
      source: "event",
      lastUpdatedAt: now,
      ...(way === "resume" ? { agentSessionId } : {}),
    },
    takesUp: { way, agentSessionId },
    state: "idle",
    lastActivityAt: now,
  };
}

/** The record of a session that gave its agent's side up: its next turn begins one anew, with what was said before. */
export function buildGiver(holder: ForeignSession["holder"], kept: AcpRecord, now: number): SessionWrite {
  const { takesUp: _, spentUsd: __, ...same } = kept;
  const acp: SessionEntry["acp"] = {
    ...same,
    gaveUp: (kept.gaveUp ?? 0) + 1,
    identity: { state: "pending", source: "event", lastUpdatedAt: now },
    state: "idle",
  };
  const entry = mergeSessionEntryWithPolicy(holder.entry, { acp }, { policy: "preserve-activity", now });
  return buildSessionWrite(holder, entry);
}
