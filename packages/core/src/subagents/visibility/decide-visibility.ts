import type { SessionToolsConfig } from "../../config/config.ts";
import { isAgentListed } from "../../config/shapes/agent-list.ts";

/** A session as its visibility is decided on. */
export interface PlacedSession {
  readonly key: string;
  readonly agentId: string;
  /** The session at the top of its tree: itself, where nothing has spawned it. */
  readonly rootSessionKey: string;
}

export interface VisibilityFacts {
  readonly caller: PlacedSession;
  readonly target: PlacedSession;
  /** The caller, or something that it spawned, has spawned the target. */
  readonly isBelow: boolean;
  readonly rules: SessionToolsConfig;
}

/**
 * Whether a session's tools may reach another one. Another agent's needs the word of the operator beside the visibility,
 * but for what the caller has spawned: the list of agents that it may spawn has allowed that already.
 */
export function decideVisibility({ caller, target, isBelow, rules }: VisibilityFacts): "visible" | "hidden" {
  if (target.key === caller.key) return "visible";
  if (!isWithin(rules.visibility, caller, target)) return "hidden";
  if (target.agentId === caller.agentId || isBelow) return "visible";
  const { enabled, allow } = rules.agentToAgent;
  const isAllowed = isAgentListed(allow, caller.agentId) && isAgentListed(allow, target.agentId);
  return enabled && isAllowed ? "visible" : "hidden";
}

function isWithin(visibility: SessionToolsConfig["visibility"], caller: PlacedSession, target: PlacedSession): boolean {
  switch (visibility) {
    case "self":
      return false;
    case "tree":
      return target.rootSessionKey === caller.rootSessionKey;
    // What another agent's session has spawned in its own tree stays in reach: the tree is the nearer bond.
    case "agent":
      return target.agentId === caller.agentId || target.rootSessionKey === caller.rootSessionKey;
    case "all":
      return true;
  }
}
