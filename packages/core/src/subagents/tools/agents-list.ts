import { z } from "zod";
import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { parseSessionRow } from "../../sessions/session-record.ts";
import { defineTool } from "../../tools/definition.ts";
import type { Tool } from "../../tools/tool.ts";
import { listSpawnableAgents } from "../spawn/spawnable-agents.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { formatToolAnswer } from "./tool-answer.ts";

const args: z.ZodType<Record<string, never>> = z.strictObject({});

/** `agents_list`: which agents the caller may spawn. */
export function createAgentsListTool(parts: SubagentParts): Tool {
  return defineTool({
    name: "agents_list",
    description:
      "Lists the agents that you may give to sessions_spawn as agentId, with runtime and models; an empty list of models: no choice.",
    args,
    isRepeatable: true,
    async run(_args, { event }) {
      const { agentId: own } = event;
      const { requireAgentId } = getSubagentRules(parts.agents[own]);
      const row = await parts.store.read.session(event.sessionKey);
      const spawnLineage = row === undefined ? [] : parseSessionRow(row).entry.spawnLineage;
      const ids = listSpawnableAgents({ agentId: own, spawnLineage }, parts.agents);
      const agents = await Promise.all(ids.map((id) => describeAgent(id, own, parts)));
      return formatToolAnswer({ status: "ok", agents, ...(requireAgentId ? { isAgentIdRequired: true } : {}) });
    },
  });
}

async function describeAgent(agentId: string, own: string, { agents, getRuntime, ports }: SubagentParts) {
  const agent = agents[agentId];
  const { model } = getSubagentRules(agent);
  const known = { agentId, runtime: agent?.runtime, model, ...(agentId === own ? { isYou: true } : {}) };
  try {
    const runtime = await getRuntime(agent?.runtime ?? "");
    return { ...known, models: await runtime.models() };
  } catch (error) {
    ports.log.warn({ err: error, agent: agentId }, "the models of an agent could not be listed");
    return { ...known, error: "its runtime does not answer" };
  }
}
