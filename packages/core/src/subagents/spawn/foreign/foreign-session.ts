import type { AcpRecord } from "@banyan/plugin-sdk";
import { UNFINISHED_STATES } from "@banyan/store";
import type { SessionRecord } from "../../../sessions/session-record.ts";
import { listVisibleSessions } from "../../visibility/list-visible-sessions.ts";
import { readLineage } from "../../visibility/read-lineage.ts";
import type { VisibilityParts } from "../../visibility/read-visible-session.ts";

/** A session of a foreign agent that a spawn may ask for by its id, and the sub-agent's session that it belongs to. */
export interface ForeignSession {
  /** Whose it is by now. */
  readonly holder: SessionRecord;
  readonly kept: AcpRecord;
  /** What it is needed for yet; absent: nothing. */
  readonly use: "turn" | "run" | "thread" | undefined;
}

/**
 * Looks a foreign agent's session up by its id, in the records of the caller's own tree alone: of another tree nothing is
 * found, whatever the tools may see otherwise, and neither is that of the caller or of one above it.
 */
export async function findForeignSession(
  agentSessionId: string,
  caller: SessionRecord,
  parts: VisibilityParts,
): Promise<ForeignSession | undefined> {
  const above = await readLineage(caller, parts.store.read);
  const rootSessionKey = above.at(-1);
  const { sessions } = await listVisibleSessions(caller.key, parts);
  const found = sessions.find(
    (session) =>
      session.rootSessionKey === rootSessionKey &&
      !above.includes(session.record.key) &&
      session.record.entry.acp?.identity.agentSessionId === agentSessionId,
  );
  const kept = found?.record.entry.acp;
  if (found === undefined || kept === undefined) return undefined;
  return { holder: found.record, kept, use: await readUse(found.record.key, parts) };
}

async function readUse(sessionKey: string, { store: { read } }: VisibilityParts): Promise<ForeignSession["use"]> {
  const [lane, runs, bindings] = await Promise.all([
    read.lane(sessionKey),
    read.runs({ childSessionKey: sessionKey, states: UNFINISHED_STATES, newest: true, limit: 1 }),
    read.bindings({ sessionKey }),
  ]);
  if (lane.owner !== undefined || lane.active.length > 0 || lane.waiting > 0) return "turn";
  if (runs.length > 0) return "run";
  return bindings.length > 0 ? "thread" : undefined;
}
