import type { IdentityLinks } from "./identity-links.ts";
import { encodeAsciiCharacter, encodeSegment } from "./key-segment.ts";
import type { SessionKeyParts } from "./session-key-parts.ts";

/**
 * Which DMs share a session: all of an agent's (`main`), those of equal sender ids (`per-peer`), those of one sender on
 * one channel (`per-channel-peer`), or on one account of it (`per-account-channel-peer`).
 */
export const DM_SCOPES = ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"] as const;
export type DmScope = (typeof DM_SCOPES)[number];
export const DEFAULT_DM_SCOPE: DmScope = "per-channel-peer";

/** Every scope that a session's setting and its routes have. */
export function listDmScopes(
  dmScope: DmScope,
  routes: readonly { readonly session?: { readonly dmScope?: DmScope | undefined } | undefined }[],
): ReadonlySet<DmScope> {
  return new Set([dmScope, ...routes.map(({ session }) => session?.dmScope ?? dmScope)]);
}

/** A DM outside a thread. Agent, channel and account are normalized, `peerId` is the platform's id as received. */
export interface DirectMessage {
  readonly agentId: string;
  readonly channel: string;
  readonly account: string;
  readonly peerId: string;
}

/** Decides which session a DM belongs to. A linked sender is the person on all channels under every scope but `main`. */
export function decideDmSession(dm: DirectMessage, scope: DmScope, links: IdentityLinks): SessionKeyParts {
  const { agentId, channel, account } = dm;
  const peer = encodeSegment(dm.peerId, "peerId");
  if (scope === "main") return { agentId, kind: "main" };
  const id = dm.peerId.trim();
  const person = links.find(channel, id);
  if (person !== undefined) return { agentId, kind: "dm", peer: person };
  switch (scope) {
    case "per-peer":
      return { agentId, kind: "dm", peer: links.persons.has(id) ? spellApart(id) : peer };
    case "per-channel-peer":
      return { agentId, kind: "dm", channel, peer };
    case "per-account-channel-peer":
      return { agentId, kind: "dm", channel, account, peer };
  }
}

/** A stranger whose id is a person's name must not land in that person's session; the decoded id stays the same. */
function spellApart(id: string): string {
  return `${encodeAsciiCharacter(id)}${id.slice(1)}`;
}
