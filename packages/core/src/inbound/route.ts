/** Which agent and which session a message goes to. Pure. */
import { type AddressParts, type InboundMessage, isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { BindingRow } from "@banyan/store";
import { BanyanError } from "../ports/errors.ts";
import { resolveAgentIdFromSessionKey } from "../sessions/keys/agent-session-key.ts";
import type { DmScope } from "../sessions/keys/dm-scope.ts";
import { buildAgentPeerSessionKey, GLOBAL_SESSION_KEY } from "../sessions/keys/session-key.ts";
import type { RouteView } from "./route-state.ts";

/** The configured routes, the most exact first. */
export interface RouteTable {
  readonly routes: readonly Route[];
  readonly defaultAgent: string;
  readonly scope: "per-sender" | "global";
  readonly dmScope: DmScope;
}

export interface Route {
  readonly agent: string;
  readonly match: {
    readonly channel: string;
    readonly account?: string | undefined;
    readonly guild?: string | undefined;
    readonly roles?: readonly string[] | undefined;
    readonly peer?: { readonly kind: "dm" | "group" | "channel"; readonly id: string } | undefined;
  };
  readonly session?: { readonly dmScope?: DmScope | undefined } | undefined;
}

export interface Routed {
  readonly agentId: string;
  readonly sessionKey: string;
  /** The linked person's name, in DMs. */
  readonly person?: string;
  /** The binding that led here. Its session exists already. */
  readonly bindingId?: string;
}

/** Routes a message at a place that is not bound. Throws a `BanyanError` when an id cannot be part of a session key. */
export function routeMessage(
  table: RouteTable,
  { links, listChatIds }: Pick<RouteView, "links" | "listChatIds">,
  place: AddressParts,
  message: InboundMessage,
): Routed {
  const peerId = place.kind === "dm" ? message.sender.id : place.chat;
  // A route that names a chat holds for it after the chat has moved.
  const peerIds = place.kind === "dm" ? [peerId.trim()] : listChatIds(place.channel, peerId.trim());
  const route = findRoute(table.routes, place, message, peerIds);
  // One session for all agents, kept under the default agent.
  if (table.scope === "global") return { agentId: table.defaultAgent, sessionKey: GLOBAL_SESSION_KEY };
  const agentId = route?.agent ?? table.defaultAgent;
  const sessionKey = buildAgentPeerSessionKey({
    agentId,
    channel: place.channel,
    accountId: place.account,
    peerKind: place.kind,
    peerId,
    threadId: place.thread,
    dmScope: route?.session?.dmScope ?? table.dmScope,
    identityLinks: links,
  });
  const person = place.kind === "dm" ? links.find(place.channel, peerId.trim()) : undefined;
  return { agentId, sessionKey, ...(person === undefined ? {} : { person }) };
}

/**
 * Routes a message at a bound place to the child session, whatever the table says. `undefined` where the binding does
 * not name an agent's session: the binding is dead, and the message is routed normally.
 */
export function routeBound(binding: BindingRow): Routed | undefined {
  const agentId = resolveAgentIdFromSessionKey(binding.sessionKey);
  return agentId === null ? undefined : { agentId, sessionKey: binding.sessionKey, bindingId: binding.id };
}

/**
 * Finds the session that the next message at an address would go to; in a DM, a message of the peer. `undefined` for a
 * text that is not an address, and for an address that gives no session key.
 */
export function findChatSession(
  table: RouteTable,
  view: Pick<RouteView, "links" | "listChatIds" | "findBinding">,
  address: string,
): string | undefined {
  if (!isAddress(address)) return undefined;
  const binding = view.findBinding(address);
  const bound = binding && routeBound(binding);
  if (bound !== undefined) return bound.sessionKey;
  try {
    const place = parseAddress(address);
    const message = { id: "", address, sender: { id: place.chat }, text: "", at: 0 };
    return routeMessage(table, view, place, message).sessionKey;
  } catch (error) {
    if (error instanceof BanyanError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A route that names a thread is more exact than any route that names its chat, so it comes first. */
function findRoute(
  routes: readonly Route[],
  place: AddressParts,
  message: InboundMessage,
  peerIds: readonly string[],
): Route | undefined {
  const { kind, thread } = place;
  const own =
    thread === undefined || kind === "dm"
      ? undefined
      : routes.find(({ match }) => match.peer !== undefined && isMatch(match, place, message, [thread.trim()]));
  return own ?? routes.find(({ match }) => isMatch(match, place, message, peerIds));
}

function isMatch(
  { channel, account, guild, roles, peer }: Route["match"],
  place: AddressParts,
  message: InboundMessage,
  peerIds: readonly string[],
): boolean {
  if (channel !== place.channel || (account !== undefined && account !== place.account)) return false;
  // A DM is in no guild, even if a plugin names one.
  if (guild !== undefined && (place.kind === "dm" || message.guild?.trim() !== guild)) return false;
  if (roles !== undefined && message.sender.roles?.some((role) => roles.includes(role.trim())) !== true) return false;
  return peer === undefined || (peer.kind === place.kind && peerIds.includes(peer.id));
}
