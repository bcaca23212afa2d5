import { isAgentListed } from "../../../config/shapes/agent-list.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/**
 * Stage 5. What is not allowed is told before what is not there: nobody finds out by asking which agents there are.
 */
export function checkAllowList({ facts, rules, targetId, target, isSameAgent }: SpawnCase): SpawnRefusal | undefined {
  const { allowAgents } = rules;
  if (!isSameAgent && !isAgentListed(allowAgents, targetId)) {
    const allowed = [facts.requester.agentId, ...allowAgents].join(", ");
    const problem = `the agent ${targetId} may not be spawned from here; use one of ${allowed}, or ask the operator to add it to agents.${facts.requester.agentId}.subagents.allowAgents`;
    return refuseSpawn("forbidden", "agent_not_allowed", problem);
  }
  if (target !== undefined) return undefined;
  const problem = `there is no agent ${targetId} in the configuration; use one that agents_list names`;
  return refuseSpawn("forbidden", "agent_unknown", problem);
}
