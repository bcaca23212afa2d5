import { isAgentListed } from "../../../config/shapes/agent-list.ts";
import { isWithinRoots, listWorkspaceRoots, refuseOutside, resolveChildWorkspaceDir } from "../child-workspace.ts";
import { decideSandbox } from "../sandbox-lattice.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

type Answer = SpawnRefusal | undefined;

/** What is not allowed is told before what is not there: nobody finds out by asking which agents there are. */
export function checkAllowList({ facts, rules, targetId, target, isSameAgent }: SpawnCase): Answer {
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

export function checkWorkspace(spawn: SpawnCase): Answer {
  return isWithinRoots(resolveChildWorkspaceDir(spawn), listWorkspaceRoots(spawn)) ? undefined : refuseOutside();
}

export function checkSandbox({ request, facts, targetId, targetRules }: SpawnCase): Answer {
  const { sandbox: parent } = facts.requester;
  const target = targetRules.sandbox;
  const decision = decideSandbox({ parent, target, request: request.sandbox ?? "inherit" });
  if (decision.kind === "below_parent") {
    const problem = `the agent ${targetId} runs with sandbox ${target}, which is less than this session's ${parent}; use an agent with at least ${parent}`;
    return refuseSpawn("forbidden", "sandbox_lower", problem);
  }
  if (decision.kind === "allowed") return undefined;
  const problem = `a sandbox is required, and the agent ${targetId} runs with none; use another agent, or leave sandbox out`;
  return refuseSpawn("forbidden", "sandbox_required", problem);
}

export function checkThread({ request, facts }: SpawnCase): Answer {
  if (request.thread !== true || facts.threads === "bound") return undefined;
  const where =
    facts.channel === undefined
      ? "this session is in no channel"
      : `no channel plugin binds threads on ${facts.channel}`;
  const wrong = facts.threads === "off" ? "threads are switched off in the configuration" : where;
  return refuseSpawn("error", "thread_unavailable", `${wrong}; use mode run without thread`);
}
