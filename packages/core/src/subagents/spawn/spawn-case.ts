import type { RunMode } from "@banyan/plugin-sdk";
import type { AgentConfig } from "../../config/config.ts";
import { getSubagentRules, type SubagentRules } from "../../config/shapes/subagent-rules.ts";
import { type AttachmentCheck, checkAttachments } from "./check-attachments.ts";
import { isRunMode, resolveSpawnMode } from "./resolve-spawn-mode.ts";
import type { SpawnFacts } from "./spawn-facts.ts";
import type { SpawnRequest } from "./spawn-request.ts";

/** A request beside what it means here: what the pure stages look at. */
export interface SpawnCase {
  readonly request: SpawnRequest;
  readonly facts: SpawnFacts;
  /** The requester's. */
  readonly rules: SubagentRules;
  readonly targetId: string;
  /** Absent: not configured. */
  readonly target: AgentConfig | undefined;
  readonly targetRules: SubagentRules;
  readonly isSameAgent: boolean;
  readonly mode: RunMode;
  readonly attachments: AttachmentCheck;
}

export function buildSpawnCase(request: SpawnRequest, facts: SpawnFacts): SpawnCase {
  const { requester, agents } = facts;
  const targetId = request.agentId ?? requester.agentId;
  const target = findAgent(agents, targetId);
  const targetRules = getSubagentRules(target);
  const { mode, thread } = request;
  return {
    request,
    facts,
    rules: getSubagentRules(findAgent(agents, requester.agentId)),
    targetId,
    target,
    targetRules,
    isSameAgent: targetId === requester.agentId,
    mode: resolveSpawnMode({ mode: mode !== undefined && isRunMode(mode) ? mode : undefined, thread }),
    attachments: checkAttachments(request.attachments),
  };
}

/** `constructor` is no agent, whatever kind of record the agents stand in. */
function findAgent(agents: SpawnFacts["agents"], id: string): AgentConfig | undefined {
  return Object.hasOwn(agents, id) ? agents[id] : undefined;
}
