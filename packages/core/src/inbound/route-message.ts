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
  const route = table.routes.find(({ match }) => isMatch(match, place, peerIds));
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

function isMatch(match: Route["match"], place: AddressParts, peerIds: readonly string[]): boolean {
  if (match.channel !== place.channel || match.guild !== undefined) return false;
  if (match.account !== undefined && match.account !== place.account) return false;
  return match.peer === undefined || (match.peer.kind === place.kind && peerIds.includes(match.peer.id));
}
