import { isPlainName } from "../../sessions/keys/plain-name.ts";
import type { ConfigPath } from "../problems/config-path.ts";
import { type ConfigProblem, formatReceived } from "../problems/config-problem.ts";
import { findNearestWord } from "../problems/nearest-word.ts";

/** In a list of agents: any configured one. */
const ANY_AGENT = "*";

/** Whether a list of agents names one, or any. */
export function isAgentListed(ids: readonly string[], id: string): boolean {
  return ids.includes(ANY_AGENT) || ids.includes(id);
}

/** Checks a list that names agents: each is configured, or `*`. */
export function checkAgentIds(
  ids: readonly string[] = [],
  path: ConfigPath,
  agents: readonly string[],
): readonly ConfigProblem[] {
  return ids.flatMap((id, at) => (id === ANY_AGENT ? [] : checkAgentId(id, [...path, at], agents)));
}

/** Checks that an agent is configured. */
export function checkAgentId(id: string, path: ConfigPath, agents: readonly string[]): readonly ConfigProblem[] {
  if (agents.includes(id)) return [];
  const nearest = findNearestWord(id, agents.filter(isPlainName));
  const cure = nearest === undefined ? `use one of ${formatAgentNames(agents)}` : `did you mean "${nearest}"?`;
  return [{ path, wrong: "no such agent", received: formatReceived(id), cure }];
}

/** Names of agents as a message lists them. What is no name may be a pasted token: only its length is told. */
export function formatAgentNames(ids: readonly string[]): string {
  return ids.map((id) => (isPlainName(id) ? id : formatReceived(id))).join(", ");
}
