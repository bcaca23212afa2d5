import type { SessionEntry } from "@banyan/plugin-sdk";
import type { SessionRow, Store } from "@banyan/store";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Ports } from "../ports/ports.ts";
import { changeSession } from "./change-session.ts";
import { resolveAgentIdFromSessionKey } from "./keys/agent-session-key.ts";
import { canonicalizeSessionKey } from "./keys/canonical-session-key.ts";
import { formatReceivedValue } from "./keys/received-value.ts";
import { buildAgentMainSessionKey, UNKNOWN_SESSION_KEY } from "./keys/session-key.ts";
import { openSessionEntry } from "./open-session-entry.ts";
import type { SessionCache } from "./session-cache.ts";
import { buildSessionWrite, parseSessionRow, type SessionRecord } from "./session-record.ts";
import { type RunFigures, updateEntryAfterRun } from "./update-after-run.ts";

export interface SessionQuery {
  /** A channel's address or person in the form of a key's rest, such as `irc:dm:ada`. */
  readonly to?: string;
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly agentId?: string;
}

export interface SessionsParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly cache: SessionCache;
  readonly defaultAgent: string;
  /** Ends a session's conversation as `/new` does. `false` if there is no such session. */
  endConversation(sessionKey: string): Promise<boolean>;
}

/** Reading and changing session records from outside a turn. */
export class Sessions {
  readonly #parts: SessionsParts;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /**
   * Finds the session that the query names, or creates it. Asked in this order: `sessionId` (only found, never made),
   * `sessionKey`, `to` below the agent, the agent's main session.
   */
  async resolveSession(query: SessionQuery): Promise<SessionRecord & { readonly isNew: boolean }> {
    const { store } = this.#parts;
    if (query.sessionId !== undefined) {
      const row = await store.read.sessionById(query.sessionId);
      if (row === undefined) throw notFound("sessionId", query.sessionId);
      return { ...parseSessionRow(row), isNew: false };
    }
    const key = this.#resolveKey(query);
    const found = await store.read.session(key);
    if (found !== undefined) return { ...parseSessionRow(found), isNew: false };
    return this.#create(key, query.agentId);
  }

  /**
   * Changes a record. The updater is pure: it may run up to five times, each time on the present record, because
   * somebody else may write between the read and the step. Answers the written record.
   */
  async updateSessionStore(sessionKey: string, updater: (entry: SessionEntry) => SessionEntry): Promise<SessionRecord> {
    const changed = await changeSession(sessionKey, updater, this.#parts);
    if (changed === undefined) throw notFound("sessionKey", sessionKey);
    return changed;
  }

  /** Adds what an agent run used, moves times and counts. */
  updateSessionStoreAfterAgentRun(sessionKey: string, figures: RunFigures): Promise<SessionRecord> {
    return this.updateSessionStore(sessionKey, (entry) => updateEntryAfterRun(entry, figures));
  }

  /**
   * Ends the conversation and begins a new one under the same key, as `/new` does, in one step: the running turn is
   * stopped, sub-agents end with everything below them, waiting messages go on in the new conversation, the old
   * transcript stays. It is not answered in a chat; a chat that a sub-agent was to report to learns that it was
   * stopped. Rejects if there is no such session, and if the gateway stops meanwhile: its next start does it then.
   */
  async resolveSessionReset(query: { readonly sessionKey: string; readonly reason: "manual" }): Promise<SessionRecord> {
    const { store, endConversation } = this.#parts;
    const key = this.#resolveKey({ sessionKey: query.sessionKey });
    const before = await store.read.session(key);
    if (before === undefined || !(await endConversation(key))) throw notFound("sessionKey", query.sessionKey);
    const row = await store.read.session(key);
    if (row !== undefined && row.sessionId !== before.sessionId) return parseSessionRow(row);
    throw new BanyanError(
      "store_conflict",
      `The session ${key} was reset: it did not end in time; try again, or if the gateway is stopping, its next start does it`,
    );
  }

  #resolveKey({ to, sessionKey, agentId }: SessionQuery): string {
    const agent = agentId ?? this.#parts.defaultAgent;
    if (sessionKey === undefined && to === undefined) return buildAgentMainSessionKey({ agentId: agent });
    const given = sessionKey ?? `agent:${agent}:${to}`;
    const key = canonicalizeSessionKey(given);
    if (key !== null && key !== UNKNOWN_SESSION_KEY) return key;
    throw new BanyanError(
      "invalid_session_key",
      `A session was resolved: that is the key of no session, received ${formatReceivedValue(given)}; banyan sessions list shows keys`,
    );
  }

  async #create(key: string, agentId: string | undefined): Promise<SessionRecord & { readonly isNew: boolean }> {
    const { store, ports, defaultAgent } = this.#parts;
    const agent = resolveAgentIdFromSessionKey(key) ?? agentId ?? defaultAgent;
    const entry = openSessionEntry({ key, sessionId: ports.createUuid(), now: ports.clock.now() });
    const session = buildSessionWrite({ key, agentId: agent, revision: 0 }, entry);
    await commitStep(store, { step: "write_session", writeId: ports.createId(), session });
    // Somebody else may have been first: what stands in the store counts.
    const row: SessionRow | undefined = await store.read.session(key);
    if (row === undefined) throw notFound("sessionKey", key);
    return { ...parseSessionRow(row), isNew: row.sessionId === entry.sessionId };
  }
}

function notFound(name: string, value: string): BanyanError {
  return new BanyanError(
    "session_not_found",
    `A session was looked up: none has the ${name} ${formatReceivedValue(value)}; banyan sessions list shows them`,
  );
}
