import type { AddressParts, InboundMessage } from "@banyan/plugin-sdk";
import type { RoutePicture } from "../access/route-state.ts";
import type { DmScope } from "../sessions/keys/dm-scope.ts";
import { buildAgentPeerSessionKey, GLOBAL_SESSION_KEY } from "../sessions/keys/session-key.ts";

/** Which agent takes which messages: the most exact first. */
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
  /** What binds the place to the session, which stands already. */
  readonly bindingId?: string;
}

/** The agent and session of a message at a place that is not bound. Pure; throws a `BanyanError` when an id cannot be part of a key. */
export function routeMessage(
  table: RouteTable,
  { links, listChatIds }: Pick<RoutePicture, "links" | "listChatIds">,
  place: AddressParts,
  message: InboundMessage,
): Routed {
  const peerId = place.kind === "dm" ? message.sender.id : place.chat;
  // A route that names a chat means it also after it has moved.
  const peerIds = place.kind === "dm" ? [peerId.trim()] : listChatIds(place.channel, peerId.trim());
  const route = findRoute(table.routes, place, message, peerIds);
  const agentId = route?.agent ?? table.defaultAgent;
  // One session for all agents, kept under the default agent.
  if (table.scope === "global") return { agentId: table.defaultAgent, sessionKey: GLOBAL_SESSION_KEY };
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

/** A thread by its own id is more exact than the chat that it is in, so such a route goes before all others. */
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
  // A direct chat is in no server, whatever a plugin says.
  if (guild !== undefined && (place.kind === "dm" || message.guild?.trim() !== guild)) return false;
  if (roles !== undefined && message.sender.roles?.some((role) => roles.includes(role.trim())) !== true) return false;
  return peer === undefined || (peer.kind === place.kind && peerIds.includes(peer.id));
}
