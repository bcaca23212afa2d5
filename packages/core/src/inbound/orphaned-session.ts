import { type AddressParts, formatAddress } from "@banyan/plugin-sdk";
import type { WriterRow } from "@banyan/store";
import { BanyanError } from "../ports/errors.ts";
import { decodeSegment } from "../sessions/keys/key-segment.ts";
import { GLOBAL_SESSION_KEY } from "../sessions/keys/session-key.ts";
import {
  buildSessionKey,
  type ChatKeyParts,
  type DmKeyParts,
  type MainKeyParts,
  parseSessionKeyParts,
} from "../sessions/keys/session-key-parts.ts";
import { type RouteTable, routeMessage } from "./route.ts";
import type { RouteView } from "./route-state.ts";

/** A session that no message is routed to any more. */
export interface OrphanedSession {
  readonly key: string;
  /** The end of a sentence. */
  readonly reason: string;
  /** The key that messages of its writers get now, if it is the same for all. */
  readonly target?: string;
}

export interface ReachRules {
  readonly routes: RouteTable;
  readonly view: Pick<RouteView, "links" | "listChatIds">;
  readonly agents: readonly string[];
  /** The configured ones. A channel without any is switched off; its sessions are not orphaned. */
  readonly accounts: readonly { readonly channel: string; readonly account: string }[];
}

export interface WrittenSession {
  readonly key: string;
  readonly writers: readonly Pick<WriterRow, "channel" | "peer">[];
}

type ChatKey = DmKeyParts | ChatKeyParts | MainKeyParts;

/**
 * Checks whether the current routes, scope and links still lead to a session: a message of each of its writers is routed.
 * Pure. `undefined` for a session that is reached, and for one that needs no messages (sub-agents, jobs, hooks).
 */
export function findOrphanedSession(session: WrittenSession, rules: ReachRules): OrphanedSession | undefined {
  const { key } = session;
  const isGlobal = rules.routes.scope === "global";
  if (key === GLOBAL_SESSION_KEY) return isGlobal ? undefined : { key, reason: "session.scope is not global any more" };
  const parts = parseSessionKeyParts(key);
  if (parts === null) return { key, reason: "no setting gives a key of this form" };
  if (!rules.agents.includes(parts.agentId)) {
    return { key, reason: `there is no agent ${parts.agentId} in the configuration` };
  }
  if (!isChatKey(parts)) return undefined;
  if (isGlobal) return { key, reason: "session.scope is global now", target: GLOBAL_SESSION_KEY };
  const keys = new Set([
    ...listPlaces(parts, session, rules).map(([place, sender]) => findKey(rules, place, sender)),
    ...listGuildKeys(parts, rules),
  ]);
  // A main session without writers was made by the operator.
  if (keys.has(key) || keys.size === 0) return undefined;
  const reason = "the scope, routes or links of the configuration give another key";
  const [target] = keys;
  return target === undefined || keys.size > 1 ? { key, reason } : { key, reason, target };
}

function isChatKey(parts: { readonly kind: string }): parts is ChatKey {
  return ["main", "dm", "group", "channel"].includes(parts.kind);
}

/** Lists the places and senders of messages for the session. */
function listPlaces(
  parts: ChatKey,
  { writers }: WrittenSession,
  rules: ReachRules,
): readonly (readonly [AddressParts, string])[] {
  if ("chat" in parts) {
    const { kind, channel } = parts;
    const chat = decodeSegment(parts.chat);
    return listAccounts(rules, channel).map((account) => [
      { channel, account, kind, chat, ...decodeThread(parts.thread) },
      chat,
    ]);
  }
  const thread = parts.kind === "dm" ? decodeThread(parts.thread) : {};
  return listPeers(parts, writers, rules).flatMap(({ channel, peer }) =>
    listAccounts(rules, channel, parts.kind === "dm" ? parts.account : undefined).map(
      (account) => [{ channel, account, kind: "dm", chat: peer, ...thread }, peer] as const,
    ),
  );
}

/** Guilds and roles are not stored with a session, so it may belong to the agent of any route that names a guild. */
function listGuildKeys(parts: ChatKey, { routes }: ReachRules): readonly string[] {
  if (!("chat" in parts)) return [];
  const guilds = routes.routes.filter(({ match }) => match.channel === parts.channel && match.guild !== undefined);
  return guilds.map(({ agent }) => buildSessionKey({ ...parts, agentId: agent }));
}

/** Lists the writers; if none are stored, the peers that the key can stand for. */
function listPeers(parts: DmKeyParts | MainKeyParts, writers: WrittenSession["writers"], rules: ReachRules) {
  if (writers.length > 0 || parts.kind === "main") return writers;
  const peer = decodeSegment(parts.peer);
  if (parts.channel !== undefined) return [{ channel: parts.channel, peer }];
  const linked = [...rules.view.links.entries()].filter(({ person }) => person === peer);
  if (linked.length > 0) return linked;
  return [...new Set(rules.accounts.map(({ channel }) => channel))].map((channel) => ({ channel, peer }));
}

function listAccounts(rules: ReachRules, channel: string, named = "default"): readonly string[] {
  const accounts = rules.accounts.filter((one) => one.channel === channel).map(({ account }) => account);
  return accounts.length > 0 ? accounts : [named];
}

function decodeThread(thread: string | undefined): { readonly thread?: string } {
  return thread === undefined ? {} : { thread: decodeSegment(thread) };
}

function findKey({ routes, view }: ReachRules, place: AddressParts, senderId: string): string | undefined {
  try {
    const message = { id: "", address: formatAddress(place), sender: { id: senderId }, text: "", at: 0 };
    return routeMessage(routes, view, place, message).sessionKey;
  } catch (error) {
    // An id that cannot be part of a key leads to no session.
    if (error instanceof BanyanError) return undefined;
    throw error;
  }
}
