import type { RekeyStep, RouteSnapshot, StepResults, Store, WriterRow } from "@banyan/store";
import type { SharedReaders } from "../config/shapes/shared-readers.ts";
import { formatPeerAccount } from "../inbound/links.ts";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import { canonicalizeSessionKey } from "../sessions/keys/canonical-session-key.ts";
import type { DmScope } from "../sessions/keys/dm-scope.ts";
import { type IdentityLinks, joinIdentityLinks } from "../sessions/keys/identity-links.ts";
import { formatReceivedValue } from "../sessions/keys/received-value.ts";
import { GLOBAL_SESSION_KEY } from "../sessions/keys/session-key.ts";
import { parseSessionKeyParts } from "../sessions/keys/session-key-parts.ts";
import { listSessionRows } from "../sessions/list-session-rows.ts";
import { findMovedBelow } from "../sessions/move-below.ts";
import { moveToKey } from "../sessions/move-session.ts";
import { parseSessionRow } from "../sessions/session-record.ts";
import { findForeignReader, type ReaderRules } from "./session-reader.ts";

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
  readonly scope: ReaderRules["scope"];
  /** Whose the global session is where it is not in the store yet. */
  readonly defaultAgent: string;
  readonly listSharedReaders?: ((routes: RouteSnapshot) => readonly SharedReaders[]) | undefined;
  /** Sends the step until its end is known: what has moved unseen is served by nobody. Absent: as often as a step is sent. */
  readonly commitRekey?: (step: RekeyStep) => Promise<StepResults["rekey"]>;
  /** A lane goes on under another key. Nothing to do where no gateway runs. */
  moveLanes(moves: readonly { readonly from: string; readonly to: string }[]): Promise<void>;
}

const MOST_CONFLICTS = 5;

export function createSessionOperations(parts: SessionOperationParts): SessionOperations {
  return {
    async rekey(givenFrom, givenTo, { acceptShared }, actor) {
      const { store, moveLanes, commitRekey = (step: RekeyStep) => commitStep(store, step) } = parts;
      const [from, to] = [readKey(givenFrom), readKey(givenTo)];
      const agentId = to.agentId ?? parts.defaultAgent;
      if (from.agentId !== undefined && from.agentId !== agentId)
        throw refuse(givenFrom, givenTo, "a conversation stays with its agent", "give both keys the same agent");
      if (from.key === to.key) throw refuse(givenFrom, givenTo, "both are the same key", "name another new key");
      for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
        const row = await store.read.session(from.key);
        if (row === undefined)
          throw refuse(givenFrom, givenTo, `there is no session ${from.key}`, "banyan sessions list shows them");
        if (row.agentId !== agentId)
          throw refuse(givenFrom, givenTo, `it is of the agent ${row.agentId}`, "give the new key that agent");
        if ((await store.read.session(to.key)) !== undefined)
          throw refuse(givenFrom, givenTo, `${to.key} is taken`, "move that one to another key first");
        const routes = await store.read.routes();
        const writers = await store.read.writers(from.key);
        if (!acceptShared) refuseReaders(from.key, to.key, { writers, routes }, parts);
        const record = parseSessionRow(row);
        const own = moveToKey(record, to.key);
        const { children, counts } = await findMovedBelow(listSessionRows(store.read), own, record.entry.userId);
        const move = counts.length === 0 ? own : { ...own, counts: [...(own.counts ?? []), ...counts] };
        const audit = { actor, action: "sessions-rekey", detail: `${from.key} ${to.key}` };
        const expectWriters = { sessionKeys: [from.key], writers };
        const fence = acceptShared ? {} : { routeRevision: routes.revision, expectWriters };
        const step = { step: "rekey", move, sessionId: row.sessionId, ...fence, children, audit } as const;
        const { status } = await commitRekey(step);
        if (status === "refused") continue;
        await moveLanes([move]);
        return { from: from.key, to: to.key, sessionId: row.sessionId };
      }
      throw new BanyanError(
        "store_conflict",
        `Moving ${from.key}: it changed ${MOST_CONFLICTS} times at the same time; try again when it is quieter`,
      );
    },
  };
}

function refuse(from: string, to: string, wrong: string, cure: string): Error {
  return new BanyanError("session_not_found", `Moving ${from} to ${to}: ${wrong}; ${cure}`);
}

interface ReadKey {
  readonly key: string;
  /** Of the global session it is the one that the store or the configuration names. */
  readonly agentId?: string;
}

/** A key that messages lead to: what an agent made for itself belongs to its maker. */
function readKey(given: string): ReadKey {
  if (given.trim() === GLOBAL_SESSION_KEY) return { key: GLOBAL_SESSION_KEY };
  const key = canonicalizeSessionKey(given);
  const parts = parseSessionKeyParts(key);
  const isPlace =
    parts?.kind === "main" || parts?.kind === "dm" || parts?.kind === "group" || parts?.kind === "channel";
  if (key !== null && parts !== null && isPlace) return { key, agentId: parts.agentId };
  throw new BanyanError(
    "invalid_session_key",
    `Moving a session: that is the key of no direct chat, group, channel, thread, main or global session, received ${formatReceivedValue(given)}; write it as banyan sessions list does`,
  );
}

/** Nobody reads under the new key what another person wrote under the old one. */
function refuseReaders(
  from: string,
  to: string,
  { writers, routes }: { readonly writers: readonly WriterRow[]; readonly routes: RouteSnapshot },
  { configuredLinks, scope, dmScopes, listSharedReaders }: SessionOperationParts,
): void {
  const links = joinIdentityLinks(configuredLinks, routes.links);
  const foreign = findForeignReader(to, writers, { links, scope, dmScopes, shared: listSharedReaders?.(routes) ?? [] });
  if (foreign === undefined) return;
  throw new BanyanError(
    "foreign_writers",
    `Moving ${from} to ${to}: it holds writing of ${formatPeerAccount(foreign.writer)}, and ${foreign.reader} would read it there; name another key, or add --accept-shared if they may`,
  );
}
