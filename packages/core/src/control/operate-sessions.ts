import type { Store, WriterRow } from "@banyan/plugin-sdk/store";
import { formatPeerAccount } from "../access/link-book.ts";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import { canonicalizeSessionKey } from "../sessions/keys/canonical-session-key.ts";
import type { DmScope } from "../sessions/keys/dm-scope.ts";
import { type IdentityLinks, joinIdentityLinks } from "../sessions/keys/identity-links.ts";
import { decodeSegment } from "../sessions/keys/key-segment.ts";
import { formatReceivedValue } from "../sessions/keys/received-value.ts";
import { parseSessionKeyParts, type SessionKeyParts } from "../sessions/keys/session-key-parts.ts";
import { moveToKey } from "../sessions/move-session.ts";
import { parseSessionRow } from "../sessions/session-record.ts";

/** An operator's hand on the sessions. */
export interface SessionOperations {
  /** Lets a conversation go on under another key. Throws with what stands against it. */
  rekey(from: string, to: string, options: RekeyOptions, actor: string): Promise<RekeyedSession>;
}

export interface RekeyOptions {
  /** The operator knows that others will read what was written there. */
  readonly acceptShared: boolean;
}

export interface RekeyedSession {
  readonly from: string;
  readonly to: string;
  readonly sessionId: string;
}

export interface SessionOperationParts {
  readonly store: Pick<Store, "commit" | "read">;
  readonly configuredLinks: IdentityLinks;
  /** Every scope that the configuration has anywhere. */
  readonly dmScopes: ReadonlySet<DmScope>;
  /** A lane goes on under another key. Nothing to do where no gateway runs. */
  moveLanes(moves: readonly { readonly from: string; readonly to: string }[]): Promise<void>;
}

const MOST_CONFLICTS = 5;

export function createSessionOperations(parts: SessionOperationParts): SessionOperations {
  return {
    async rekey(givenFrom, givenTo, { acceptShared }, actor) {
      const { store, moveLanes } = parts;
      const [from, to] = [readKey(givenFrom), readKey(givenTo)];
      if (from.parts.agentId !== to.parts.agentId)
        throw refuse(givenFrom, givenTo, "a conversation stays with its agent", "give both keys the same agent");
      if (from.key === to.key) throw refuse(givenFrom, givenTo, "both are the same key", "name another new key");
      for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
        const row = await store.read.session(from.key);
        if (row === undefined)
          throw refuse(givenFrom, givenTo, `there is no session ${from.key}`, "banyan sessions list shows them");
        if ((await store.read.session(to.key)) !== undefined)
          throw refuse(givenFrom, givenTo, `${to.key} is taken`, "move that one to another key first");
        if (!acceptShared) await refuseReaders(from, to, parts);
        const move = moveToKey(parseSessionRow(row), to.key);
        const audit = { actor, action: "sessions-rekey", detail: `${from.key} ${to.key}` };
        const step = { step: "rekey", move, sessionId: row.sessionId, audit } as const;
        const { status } = await commitStep(store, step);
        if (status === "refused") continue;
        await moveLanes([move]);
        return { from: from.key, to: to.key, sessionId: row.sessionId };
      }
      throw new BanyanError(
        "store_conflict",
        `Moving ${from.key}: it changed ${MOST_CONFLICTS} times meanwhile; try again when it is quieter`,
      );
    },
  };
}

function refuse(from: string, to: string, wrong: string, cure: string): Error {
  return new BanyanError("session_not_found", `Moving ${from} to ${to}: ${wrong}; ${cure}`);
}

interface ReadKey {
  readonly key: string;
  readonly parts: SessionKeyParts;
}

/** A key that messages lead to: what an agent made for itself belongs to its maker. */
function readKey(given: string): ReadKey {
  const key = canonicalizeSessionKey(given);
  const parts = parseSessionKeyParts(key);
  const isPlace =
    parts?.kind === "main" || parts?.kind === "dm" || parts?.kind === "group" || parts?.kind === "channel";
  if (key !== null && parts !== null && isPlace) return { key, parts };
  throw new BanyanError(
    "invalid_session_key",
    `Moving a session: that is the key of no direct chat, group, channel, thread or main session, received ${formatReceivedValue(given)}; write it as banyan sessions list does`,
  );
}

/** Nobody reads under the new key what another person wrote under the old one. */
async function refuseReaders(from: ReadKey, to: ReadKey, parts: SessionOperationParts): Promise<void> {
  const { store, configuredLinks, dmScopes } = parts;
  const writers = await store.read.writers(from.key);
  const links = joinIdentityLinks(configuredLinks, (await store.read.routes()).links);
  const reader = describeReader(to.parts, links, dmScopes);
  const foreign = writers.find((writer) => !reader.isOwn(writer));
  if (foreign === undefined) return;
  throw new BanyanError(
    "foreign_writers",
    `Moving ${from.key} to ${to.key}: it holds writing of ${formatPeerAccount(foreign)}, and ${reader.name} would read it there; name another key, or add --accept-shared if they may`,
  );
}

interface Reader {
  readonly name: string;
  /** Whether he has written it himself. */
  isOwn(writer: WriterRow): boolean;
}

function describeReader(to: SessionKeyParts, links: IdentityLinks, dmScopes: ReadonlySet<DmScope>): Reader {
  if (to.kind === "main") {
    // One conversation for all: whoever is the only one that has one has no others to hide from.
    return {
      name: "whoever talks with the agent's main session",
      isOwn: () => dmScopes.size === 1 && dmScopes.has("main"),
    };
  }
  if (to.kind !== "dm") return { name: "everybody in that group", isOwn: () => false };
  const peer = decodeSegment(to.peer);
  if (to.channel !== undefined) {
    const { channel } = to;
    return { name: `${channel}:${peer}`, isOwn: (writer) => writer.channel === channel && writer.peer === peer };
  }
  if (links.persons.has(peer))
    return { name: peer, isOwn: (writer) => links.find(writer.channel, writer.peer) === peer };
  // A name that nobody has leads to no session, unless a sender's id alone does.
  if (!dmScopes.has("per-peer")) return { name: peer, isOwn: () => true };
  return { name: `whoever has the id ${peer}`, isOwn: (writer) => writer.peer === peer };
}
