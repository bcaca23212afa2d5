import { BanyanError } from "../../ports/errors.ts";
import { isAccountId } from "./account-id.ts";
import { AGENT_KEY_PREFIX, parseAgentSessionKey } from "./agent-session-key.ts";
import { isChannelId } from "./channel-id.ts";
import { formatReceivedValue } from "./received-value.ts";

/** A DM: without `channel` its peer is a person or, under scope `per-peer`, a sender id of any channel. */
export interface DmKeyParts {
  readonly agentId: string;
  readonly kind: "dm";
  readonly channel?: string;
  /** Only beside `channel`. */
  readonly account?: string;
  readonly peer: string;
  readonly thread?: string;
}

export interface ChatKeyParts {
  readonly agentId: string;
  readonly kind: "group" | "channel";
  readonly channel: string;
  readonly chat: string;
  readonly thread?: string;
}

/** A sub-agent's id is one segment; a chain, which others build, keeps `a:subagent:b` as its id. */
export interface OwnKeyParts {
  readonly agentId: string;
  readonly kind: "subagent" | "acp" | "hook";
  readonly id: string;
}

export interface CronKeyParts {
  readonly agentId: string;
  readonly kind: "cron";
  /** The job. */
  readonly id: string;
  /** One run of the job. */
  readonly run?: string;
}

export interface MainKeyParts {
  readonly agentId: string;
  readonly kind: "main";
}

/** The segments of a key as they stand, encoded; `decodeSegment` gives a platform's id back. */
export type SessionKeyParts = DmKeyParts | ChatKeyParts | OwnKeyParts | CronKeyParts | MainKeyParts;

/**
 * Names the segments of a key. A key in a thread keeps the kind of the chat it is in and has `thread`.
 * Total: never throws; `null` for `global`, `unknown`, and keys that are `other` or `invalid`.
 * `buildSessionKey` of the answer gives the same key.
 */
export function parseSessionKeyParts(key: string | null | undefined): SessionKeyParts | null {
  const parsed = parseAgentSessionKey(key);
  if (parsed === null) return null;
  const segments = parsed.rest.split(":");
  return parseOwnParts(parsed.agentId, segments) ?? parseChatParts(parsed.agentId, segments);
}

/**
 * Joins parts to a key; the only place that does. The segments must be encoded (`encodeSegment`) and the ids normalized.
 * Throws `invalid_session_key` when the key would not read back as exactly these parts.
 */
export function buildSessionKey(parts: SessionKeyParts): string {
  const key = [AGENT_KEY_PREFIX, parts.agentId, ...listSegments(parts)].join(":");
  const readBack = parseSessionKeyParts(key);
  if (readBack !== null && isSame(readBack, parts)) return key;
  throw new BanyanError(
    "invalid_session_key",
    `building a session key: its parts do not read back from it, received ${formatReceivedValue(key)}; encode each id with encodeSegment, normalize agent, channel and account`,
  );
}

/** Field by field: an object's prototype says nothing about its parts. */
function isSame(one: SessionKeyParts, other: SessionKeyParts): boolean {
  const fields = Object.keys(one);
  if (fields.length !== Object.keys(other).length) return false;
  return fields.every((field) => Object.hasOwn(other, field) && Reflect.get(one, field) === Reflect.get(other, field));
}

function listSegments(parts: SessionKeyParts): readonly string[] {
  switch (parts.kind) {
    case "main":
      return ["main"];
    case "cron":
      return ["cron", parts.id, ...(parts.run === undefined ? [] : ["run", parts.run])];
    case "dm":
      return [...listPresent(parts.channel, parts.account), "dm", parts.peer, ...listThread(parts.thread)];
    case "group":
    case "channel":
      return [parts.channel, parts.kind, parts.chat, ...listThread(parts.thread)];
    default:
      return [parts.kind, parts.id];
  }
}

function listPresent(...segments: readonly (string | undefined)[]): readonly string[] {
  return segments.filter((segment) => segment !== undefined);
}

function listThread(thread: string | undefined): readonly string[] {
  return thread === undefined ? [] : ["thread", thread];
}

function parseOwnParts(agentId: string, segments: readonly string[]): SessionKeyParts | null {
  const [kind, id, marker, run] = segments;
  if (kind === "main" && segments.length === 1) return { agentId, kind };
  if (id === undefined) return null;
  if (kind === "subagent" && countSubagentPairs(segments) > 0)
    return { agentId, kind, id: segments.slice(1).join(":") };
  if ((kind === "acp" || kind === "hook") && segments.length === 2) return { agentId, kind, id };
  if (kind !== "cron") return null;
  if (segments.length === 2) return { agentId, kind, id };
  return segments.length === 4 && marker === "run" && run !== undefined ? { agentId, kind, id, run } : null;
}

/** How many `subagent:<id>` pairs the segments wholly consist of, else 0. */
export function countSubagentPairs(segments: readonly string[]): number {
  const isChain = segments.length % 2 === 0 && segments.every((word, at) => at % 2 === 1 || word === "subagent");
  return isChain ? segments.length / 2 : 0;
}

function parseChatParts(agentId: string, segments: readonly string[]): SessionKeyParts | null {
  const thread = segments.at(-2) === "thread" ? segments.at(-1) : undefined;
  const chat = thread === undefined ? segments : segments.slice(0, -2);
  const [channel, account, ...more] = chat.slice(0, -2);
  const kind = chat.at(-2);
  const id = chat.at(-1);
  if (id === undefined || more.length > 0) return null;
  if (channel !== undefined && !isChannelId(channel)) return null;
  if (account !== undefined && !isAccountId(account)) return null;
  const inThread = thread === undefined ? {} : { thread };
  if (kind === "dm") {
    const place = { ...(channel !== undefined && { channel }), ...(account !== undefined && { account }) };
    return { agentId, kind, ...place, peer: id, ...inThread };
  }
  if ((kind !== "group" && kind !== "channel") || channel === undefined || account !== undefined) return null;
  return { agentId, kind, channel, chat: id, ...inThread };
}
