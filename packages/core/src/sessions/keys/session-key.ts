import { BanyanError } from "../../ports/errors.ts";
import { DEFAULT_ACCOUNT_ID, normalizeAccountId } from "./account-id.ts";
import { normalizeAgentId } from "./agent-id.ts";
import { normalizeChannelId } from "./channel-id.ts";
import { DEFAULT_DM_SCOPE, DM_SCOPES, type DmScope, decideDmSession } from "./dm-scope.ts";
import { IdentityLinks, type IdentityLinksRecord, parseIdentityLinks } from "./identity-links.ts";
import { encodeSegment } from "./key-segment.ts";
import { formatReceivedValue } from "./received-value.ts";
import { buildSessionKey, type DmKeyParts, parseSessionKeyParts } from "./session-key-parts.ts";

/** The one session of `session.scope: "global"`. */
export const GLOBAL_SESSION_KEY = "global";
/** Stands where the session is not known; nothing is ever stored under it. */
export const UNKNOWN_SESSION_KEY = "unknown";

export interface AgentMainSessionKeyInput {
  /** Free text, normalized; absent or blank is `main`. */
  readonly agentId?: string | null | undefined;
}

/** Builds `agent:<agentId>:main`. Throws `invalid_agent_id`. */
export function buildAgentMainSessionKey(input: AgentMainSessionKeyInput): string {
  return buildSessionKey({ agentId: normalizeAgentId(input.agentId), kind: "main" });
}

export const resolveMainSessionKey: typeof buildAgentMainSessionKey = buildAgentMainSessionKey;
export const resolveAgentMainSessionKey: typeof buildAgentMainSessionKey = buildAgentMainSessionKey;

export interface AgentPeerSessionKeyInput {
  /** Free text, normalized; absent or blank is `main`. */
  readonly agentId?: string | null | undefined;
  readonly channel: string;
  /** Free text, normalized; absent or blank is `default`. */
  readonly accountId?: string | null | undefined;
  readonly peerKind: "dm" | "group" | "channel";
  /** The sender's id in a DM, the chat's id in a group or channel; exact but for the trim. */
  readonly peerId: string;
  /** Absent outside threads; blank is an error. */
  readonly threadId?: string | null | undefined;
  /** Default `per-channel-peer`. Groups, channels and threads are the same under every scope. */
  readonly dmScope?: DmScope | null | undefined;
  /** Parsed once with `parseIdentityLinks` where keys are built often; a record is parsed anew by each call. */
  readonly identityLinks?: IdentityLinks | IdentityLinksRecord | null | undefined;
}

/**
 * Builds the key of the session that a message belongs to. Every field is checked, also one that the key does not show.
 * - group, channel: `agent:<agent>:<channel>:<kind>:<chat>[:thread:<id>]`, without the account
 * - DM: by `dmScope`; `agent:<agent>:dm:<name>` for a linked sender under every scope but `main`
 * - DM in a thread: `agent:<agent>:<channel>[:<account>]:dm:<peer>:thread:<id>` under every scope, linked or not;
 *   the account `default` is left out
 *
 * Throws a `BanyanError` (`invalid_agent_id`, `invalid_channel`, `invalid_account_id`, `invalid_segment`,
 * `invalid_identity_links`, `invalid_session_key`); an id that is missing never means the main session.
 */
export function buildAgentPeerSessionKey(input: AgentPeerSessionKeyInput): string {
  const agentId = normalizeAgentId(input.agentId);
  const channel = normalizeChannelId(input.channel);
  const account = normalizeAccountId(input.accountId);
  const scope = input.dmScope ?? DEFAULT_DM_SCOPE;
  if (!DM_SCOPES.includes(scope)) throw choiceError("dmScope", scope, DM_SCOPES);
  const links =
    input.identityLinks instanceof IdentityLinks ? input.identityLinks : parseIdentityLinks(input.identityLinks);
  const threadId = input.threadId ?? undefined;
  const inThread = threadId === undefined ? undefined : { thread: encodeSegment(threadId, "threadId") };
  switch (input.peerKind) {
    case "group":
    case "channel": {
      const chat = encodeSegment(input.peerId, "peerId");
      return buildSessionKey({ agentId, kind: input.peerKind, channel, chat, ...inThread });
    }
    case "dm": {
      const dm = { agentId, channel, account, peerId: input.peerId };
      if (inThread === undefined) return buildSessionKey(decideDmSession(dm, scope, links));
      const peer = encodeSegment(input.peerId, "peerId");
      return buildSessionKey(withoutDefaultAccount({ agentId, kind: "dm", channel, account, peer, ...inThread }));
    }
    default:
      throw choiceError("peerKind", input.peerKind, ["dm", "group", "channel"]);
  }
}

/**
 * Builds the key of a thread in the chat that `baseKey` names: `<baseKey>:thread:<threadId>`. Of a DM of the account
 * `default` the account is left out, so that a thread has one key whichever function built it.
 * Throws `invalid_session_key` unless the base is a DM, group or channel outside a thread, and `invalid_segment` for a
 * blank or missing thread id.
 */
export function resolveThreadSessionKey(baseKey: string, threadId: string | null | undefined): string {
  const base = parseSessionKeyParts(baseKey);
  if (base !== null && !("thread" in base)) {
    const thread = encodeSegment(threadId, "threadId");
    if (base.kind === "dm") return buildSessionKey(withoutDefaultAccount({ ...base, thread }));
    if (base.kind === "group" || base.kind === "channel") return buildSessionKey({ ...base, thread });
  }
  throw new BanyanError(
    "invalid_session_key",
    `building a thread's session key: the base holds no threads, received ${formatReceivedValue(baseKey)}; pass the key of a DM, group or channel`,
  );
}

function withoutDefaultAccount(parts: DmKeyParts): DmKeyParts {
  const { account, ...rest } = parts;
  return account === DEFAULT_ACCOUNT_ID ? rest : parts;
}

function choiceError(name: string, received: unknown, choices: readonly string[]): BanyanError {
  return new BanyanError(
    "invalid_session_key",
    `building a session key: ${name} is unknown, received ${formatReceivedValue(received)}; use one of ${choices.join(", ")}`,
  );
}
