import { parseAgentSessionKey } from "./agent-session-key.ts";
import { buildAgentMainSessionKey, GLOBAL_SESSION_KEY, UNKNOWN_SESSION_KEY } from "./session-key.ts";
import { classifySessionKey } from "./session-key-kind.ts";
import { parseSessionKeyParts } from "./session-key-parts.ts";

/**
 * Reads a key that was imported or typed by hand: trims it, folds the case of the prefix and the agent id, writes `dm`
 * for `direct` in the kind's place, and takes a bare `main` for `agent:main:main`. Ids, channels and accounts are
 * left as they stand. Total: never throws; `null` when that makes no key.
 */
export function canonicalizeSessionKey(text: string | null | undefined): string | null {
  if (typeof text !== "string") return null;
  const trimmed = text.trim();
  const folded = trimmed.toLowerCase();
  if (folded === "main") return buildAgentMainSessionKey({});
  if (folded === GLOBAL_SESSION_KEY || folded === UNKNOWN_SESSION_KEY) return folded;
  const [prefix = "", agentId = "", ...segments] = trimmed.split(":");
  const key = [prefix.toLowerCase(), agentId.toLowerCase(), ...segments].join(":");
  if (parseAgentSessionKey(key) === null) return null;
  return classifySessionKey(key) === "other" ? (findDmSpelling(key) ?? key) : key;
}

/** The kind stands behind the agent, the channel or the account; `direct` anywhere else is somebody's id. */
const KIND_PLACES: readonly number[] = [2, 3, 4];

function findDmSpelling(key: string): string | undefined {
  const words = key.split(":");
  return KIND_PLACES.filter((place) => words[place] === "direct")
    .map((place) => words.with(place, "dm").join(":"))
    .find((spelling) => parseSessionKeyParts(spelling)?.kind === "dm");
}
