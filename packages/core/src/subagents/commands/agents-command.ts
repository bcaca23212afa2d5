import type { Command, CommandContext } from "../../commands/command.ts";
import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { createModelList } from "../../turns/model-list.ts";
import { listSpawnableAgents } from "../spawn/spawnable-agents.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";

const MOST_MODELS = 5;

/** `/agents`: who answers here, and to whom a task may be given. */
export function createAgentsCommand(parts: SubagentParts): Command {
  const listModels = createModelList(parts);
  return {
    ...SUBAGENT_FACES.agents,
    async decide(context) {
      const ids = listSpawnable(context, parts);
      const lines = await Promise.all(ids.map((id) => describeAgent(id, context, parts, listModels)));
      return { answer: [...lines, "", describeSpawning(ids, context, parts)].join("\n") };
    },
  };
}

/** Who answers here first, also where it may not spawn itself any more. */
function listSpawnable({ agent, record }: CommandContext, { agents }: SubagentParts): readonly string[] {
  const { spawnLineage } = record.entry;
  const spawnable = listSpawnableAgents({ agentId: agent.id, spawnLineage }, agents);
  return [agent.id, ...spawnable.filter((id) => id !== agent.id)];
}

async function describeAgent(
  id: string,
  { agent }: CommandContext,
  { agents }: SubagentParts,
  listModels: ReturnType<typeof createModelList>,
): Promise<string> {
  const runtime = agents[id]?.runtime ?? agent.runtime;
  const here = id === agent.id ? ", answers here" : "";
  const models = await listModels(runtime);
  const named = models === undefined ? "; its runtime does not answer now" : nameModels(models);
  return `- **${id}** (${runtime})${here}${named}`;
}

function nameModels(models: readonly string[]): string {
  if (models.length === 0) return "";
  const more = models.length > MOST_MODELS ? ` and ${models.length - MOST_MODELS} more` : "";
  return `: ${models
    .slice(0, MOST_MODELS)
    .map((model) => `\`${model}\``)
    .join(", ")}${more}`;
}

function describeSpawning(
  ids: readonly string[],
  { agent, record }: CommandContext,
  { agents }: SubagentParts,
): string {
  const { maxSpawnDepth, requireAgentId } = getSubagentRules(agents[agent.id]);
  if ((record.entry.spawnDepth ?? 0) >= maxSpawnDepth)
    return "No more sub-agents can be started from here: it is deep enough in the tree already.";
  const [own = agent.id, other] = ids;
  if (requireAgentId) return `\`/spawn --agent ${own} <task>\` gives one of them a task.`;
  const named = other === undefined ? "" : `, \`/spawn --agent ${other} <task>\` to another`;
  return `\`/spawn <task>\` gives a task to a sub-agent of **${own}**${named}.`;
}
