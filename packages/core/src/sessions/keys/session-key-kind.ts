import { parseAgentSessionKey } from "./agent-session-key.ts";
import { GLOBAL_SESSION_KEY, UNKNOWN_SESSION_KEY } from "./session-key.ts";
import { countSubagentPairs, parseSessionKeyParts } from "./session-key-parts.ts";

/** What a key names. `other` parses but has none of our forms; `invalid` does not parse. */
export type SessionKeyKind =
  | "global"
  | "unknown"
  | "main"
  | "dm"
  | "group"
  | "channel"
  | "thread"
  | "subagent"
  | "acp"
  | "cron"
  | "hook"
  | "other"
  | "invalid";

/** Says what a key names; a DM, group or channel key that ends in a thread is a `thread`. Total: never throws. */
export function classifySessionKey(key: string | null | undefined): SessionKeyKind {
  if (key === GLOBAL_SESSION_KEY) return "global";
  if (key === UNKNOWN_SESSION_KEY) return "unknown";
  const parts = parseSessionKeyParts(key);
  if (parts === null) return parseAgentSessionKey(key) === null ? "invalid" : "other";
  return "thread" in parts ? "thread" : parts.kind;
}

/**
 * How many `subagent:<id>` pairs the whole rest of a key consists of, else 0. Total: never throws.
 * Our own children are flat, so it is 1 for them at every depth; their depth in the tree is `spawnDepth` in the row.
 */
export function getSubagentDepth(key: string | null | undefined): number {
  const parsed = parseAgentSessionKey(key);
  return parsed === null ? 0 : countSubagentPairs(parsed.rest.split(":"));
}
