import type { AcpRecord, SessionSpec } from "@banyan/plugin-sdk";
import { commitPatiently } from "../ports/commit-step.ts";
import { mergeSessionEntryWithPolicy } from "../sessions/merge-session-entry.ts";
import { buildSessionWrite, parseSessionRow } from "../sessions/session-record.ts";
import type { TurnParts } from "./turn-parts.ts";

const MOST_CONFLICTS = 5;

/** The conversation whose agent says where its side goes on. */
export interface KeptPlace {
  readonly sessionKey: string;
  readonly sessionId: string;
  /** The agent's session that it was known to have; written on only where it still has it. */
  readonly known?: string | undefined;
}

/** For one opened runtime: what it keeps, it must still have when it keeps it again. */
export function createAcpKeeper(
  { sessionKey, sessionId, acp }: Pick<SessionSpec, "sessionKey" | "sessionId" | "acp">,
  parts: Parameters<typeof keepAcp>[2],
): (record: AcpRecord) => Promise<void> {
  let known = acp?.identity.agentSessionId;
  return async (record) => {
    await keepAcp(record, { sessionKey, sessionId, known }, parts);
    known = record.identity.agentSessionId;
  };
}

/**
 * Writes where an agent's side of a conversation goes on into the session's record, while a turn of it runs. Nothing is
 * written where a new conversation has begun under the key meanwhile: its agent begins one, too. Rejects where a sub-agent
 * was given the agent's session meanwhile, so that no two ever work in it.
 */
export async function keepAcp(
  record: AcpRecord,
  place: KeptPlace,
  parts: Pick<TurnParts, "store" | "ports" | "sessions" | "signal">,
): Promise<void> {
  const { store, ports, sessions, signal } = parts;
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    const row = await store.read.session(place.sessionKey);
    if (row === undefined || row.sessionId !== place.sessionId) return;
    const read = parseSessionRow(row);
    const { agentSessionId } = record.identity;
    const isKnown = place.known !== undefined && place.known === agentSessionId;
    if (isKnown && read.entry.acp?.identity.agentSessionId !== agentSessionId) throw refuseGivenUp(place.sessionKey);
    const now = ports.clock.now();
    const entry = mergeSessionEntryWithPolicy(read.entry, { acp: record }, { policy: "preserve-activity", now });
    const session = buildSessionWrite(read, entry);
    const step = { step: "write_session", writeId: ports.createId(), session } as const;
    ports.faultPoint("acp.before");
    const written = await commitPatiently(store, step, ports, signal);
    ports.faultPoint("acp.after");
    if (written.status === "refused") continue;
    // The turn's end begins with this revision.
    return sessions.advance(read, entry, written.revision);
  }
  throw new Error(
    `The agent's side of ${place.sessionKey} was kept: the session changed ${MOST_CONFLICTS} times at the same time; write again`,
  );
}

function refuseGivenUp(sessionKey: string): Error {
  return new Error(
    `The agent's side of ${sessionKey} was kept: a sub-agent goes on in that session of the agent by now; write again`,
  );
}
