import type { ReceivedResult, SessionWrite, Store } from "@banyan/plugin-sdk/store";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import type { Ports } from "../ports/ports.ts";

export interface NewSessionParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly hooks: CallableHooks;
}

/**
 * Tells the taps of a session that began with a message: the record offered with it is the one that now stands. Never
 * rejects.
 */
export async function tellNewSession(
  offered: SessionWrite,
  { claim }: ReceivedResult,
  { store, ports, hooks }: NewSessionParts,
): Promise<void> {
  const { key: sessionKey, sessionId, agentId } = offered;
  try {
    const standing = claim?.session ?? (await store.read.session(sessionKey));
    if (standing?.sessionId !== sessionId) return;
    await hooks.session_start.call({ sessionKey, sessionId, agentId, reason: "created" });
  } catch (error) {
    ports.log.warn({ err: error, session: sessionKey }, "the beginning of a session was not announced");
  }
}
