import { isEncodedSegment } from "./key-segment.ts";
import { isPlainName } from "./plain-name.ts";

/** What begins every key that belongs to one agent. */
export const AGENT_KEY_PREFIX = "agent";

/** A session key taken apart at the agent: `rest` is all segments behind it, joined by `:` as they stand. */
export interface AgentSessionKey {
  readonly agentId: string;
  readonly rest: string;
}

/**
 * Takes `agent:<agentId>:<rest>` apart. Total: never throws. `null` for a wrong prefix, an invalid agent id, fewer than
 * three parts, an empty segment, and a segment that is not in encoded form. Nothing is trimmed or folded here;
 * `canonicalizeSessionKey` does that for text that a person typed.
 */
export function parseAgentSessionKey(text: string | null | undefined): AgentSessionKey | null {
  if (typeof text !== "string") return null;
  const [prefix, agentId, ...segments] = text.split(":");
  if (prefix !== AGENT_KEY_PREFIX || agentId === undefined || !isPlainName(agentId)) return null;
  if (segments.length === 0 || !segments.every(isEncodedSegment)) return null;
  return { agentId, rest: segments.join(":") };
}

/** The agent that a key belongs to; `null` for `global`, `unknown` and what is not a key. Never throws. */
export function resolveAgentIdFromSessionKey(key: string | null | undefined): string | null {
  return parseAgentSessionKey(key)?.agentId ?? null;
}
