import type { StoreReads, WriterRow } from "@banyan/store";
import { BanyanError } from "../../ports/errors.ts";
import { joinIdentityLinks, parseIdentityLinks } from "../../sessions/keys/identity-links.ts";
import { GLOBAL_SESSION_KEY } from "../../sessions/keys/session-key.ts";
import { buildSessionKey } from "../../sessions/keys/session-key-parts.ts";
import type { Config } from "../config.ts";
import { type DmScopeSurroundings, type DmSender, findDmRoute, listDmSenders } from "./dm-scope-check.ts";

/** Those who are let into a session that all direct chats share: the agent's main one, or the global one. */
export interface SharedReaders {
  readonly key: string;
  /** Several people, or anybody. */
  readonly isShared: boolean;
  /** Nobody is let in: the operator alone reads there, who reads everything. */
  readonly isOperators: boolean;
  /** One of them, as errors name him. */
  readonly name: string;
  /** Whether the one person who reads there has written it, or the operator. Of several nobody's writing is. */
  isOwn(writer: Pick<WriterRow, "channel" | "peer">): boolean;
}

/** More old conversations than anybody has moved away. */
const MOST_FREE_KEYS = 1_000;

/**
 * Who reads in the shared sessions by the present settings, so in none where the scope is not `main`. Pure. A linked
 * person is one reader.
 */
export function listSharedReaders(config: Config, around: DmScopeSurroundings = {}): readonly SharedReaders[] {
  const byKey = new Map<string, DmSender[]>();
  for (const sender of listDmSenders(config, around)) {
    const key = sender.isAllowed ? findSharedKey(config, sender) : undefined;
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), sender]);
  }
  const { operatorOnly = [], routes } = around;
  const links = joinIdentityLinks(parseIdentityLinks(config.session.identityLinks), routes?.links ?? []);
  // The operator reads in each of them, also where nobody else does.
  for (const channel of operatorOnly) {
    const key = findSharedKey(config, { channel, account: "default", id: undefined, isAllowed: true });
    if (key !== undefined && !byKey.has(key)) byKey.set(key, []);
  }
  const nameOf = (channel: string, id: string) => links.find(channel, id.trim()) ?? `${channel}:${id.trim()}`;
  return [...byKey].map(([key, senders]) => {
    const names = senders.map(({ channel, id }) => (id === undefined ? undefined : nameOf(channel, id)));
    const isShared = new Set(names).size > 1 || names.includes(undefined);
    const isOperators = senders.length === 0;
    return {
      key,
      isShared,
      isOperators,
      name: names.find((name) => name !== undefined) ?? (isOperators ? "the operator" : "anybody"),
      isOwn: ({ channel, peer }) =>
        operatorOnly.includes(channel) || (!isShared && !isOperators && nameOf(channel, peer) === names[0]),
    };
  });
}

/**
 * Refuses that somebody is let into a shared session in which another person has written, as one who was in before him.
 * Asked at start and before each change of who is let in or who is whom. Throws `foreign_writers` with the cure.
 */
export async function refuseFormerWriters(
  read: Pick<StoreReads, "writers" | "session">,
  config: Config,
  around: DmScopeSurroundings = {},
): Promise<void> {
  if (config.session.acceptSharedDm) return;
  for (const { key, name, isShared, isOperators, isOwn } of listSharedReaders(config, around)) {
    if (isOperators) continue;
    // What groups and direct chats say there together is no secret between them.
    if (key === GLOBAL_SESSION_KEY && admitsGroups(config, around)) continue;
    const foreign = isShared ? undefined : (await read.writers(key)).find((writer) => !isOwn(writer));
    if (foreign === undefined) continue;
    const { channel, peer } = foreign;
    throw new BanyanError(
      "foreign_writers",
      `The people of a shared conversation were checked: ${key} holds writing of ${channel}:${peer}, and ${name} would read it; move that conversation away: banyan sessions rekey ${key} ${await resolveFreeKey(read, key, config)}; or link the two if they are one person, or set session.acceptSharedDm: true if they may read each other`,
    );
  }
}

function findSharedKey(config: Config, sender: DmSender): string | undefined {
  if (config.session.scope === "global") return GLOBAL_SESSION_KEY;
  const { agentId, dmScope } = findDmRoute(config, sender);
  return dmScope === "main" ? buildSessionKey({ agentId, kind: "main" }) : undefined;
}

function admitsGroups({ channels }: Config, { operatorOnly = [] }: DmScopeSurroundings): boolean {
  return Object.entries(channels)
    .filter(([channel]) => !operatorOnly.includes(channel))
    .flatMap(([, { accounts }]) => Object.values(accounts))
    .some(
      ({ enabled, groups: { policy, allow, guilds } }) =>
        enabled && (policy === "open" || (policy === "allowlist" && allow.length + guilds.length > 0)),
    );
}

/** A key of the same agent that leads to no person and has no session. */
async function resolveFreeKey(read: Pick<StoreReads, "session">, key: string, config: Config): Promise<string> {
  const agentId = (await read.session(key))?.agentId ?? config.defaultAgent;
  const before = key === GLOBAL_SESSION_KEY ? "global-before" : "main-before";
  for (let serial = 1; serial <= MOST_FREE_KEYS; serial += 1) {
    const free = buildSessionKey({ agentId, kind: "dm", peer: serial === 1 ? before : `${before}-${serial}` });
    if ((await read.session(free)) === undefined) return free;
  }
  return "NEW";
}
