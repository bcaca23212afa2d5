import type { AgentConfig } from "../../config/config.ts";
import { isAgentListed } from "../../config/shapes/agent-list.ts";
import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { decideSandbox, resolveSandbox } from "./sandbox-lattice.ts";

/**
 * The agents that a session of `agentId` may spawn: its own first, then those that the operator lets it. One with less of
 * a sandbox than the session has is left out, since it would be refused.
 */
export function listSpawnableAgents(
  { agentId, spawnLineage }: { readonly agentId: string; readonly spawnLineage?: readonly string[] | undefined },
  agents: Readonly<Record<string, AgentConfig>>,
): readonly string[] {
  const { allowAgents } = getSubagentRules(agents[agentId]);
  const parent = resolveSandbox(agents, { agentId, spawnLineage });
  const others = Object.keys(agents).filter((id) => id !== agentId && isAgentListed(allowAgents, id));
  return [...(Object.hasOwn(agents, agentId) ? [agentId] : []), ...others].filter((id) => {
    const target = getSubagentRules(agents[id]).sandbox;
    return decideSandbox({ parent, target, request: "inherit" }).kind === "allowed";
  });
}
