import { join } from "node:path";
import type { AgentConfig } from "./config/config.ts";
import { getTurnTimeoutMs } from "./config/shapes/agent-config.ts";
import { narrowBudgets } from "./config/shapes/budget-config.ts";
import { getMaxSpawnDepth } from "./config/shapes/subagent-rules.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { BanyanError } from "./ports/errors.ts";
import { parseSessionKeyParts } from "./sessions/keys/session-key-parts.ts";
import type { SessionRecord } from "./sessions/session-record.ts";
import { resolveSubagentRole } from "./sessions/tree/subagent-role.ts";
import { buildAttachmentsFolder, isRunId } from "./subagents/spawn/materialize-attachments.ts";
import { isProcessAllowed, resolveSandbox } from "./subagents/spawn/sandbox-lattice.ts";
import { findReceivedFolder } from "./tools/attachments/received-file.ts";
import type { ToolPolicy } from "./tools/policy.ts";
import { listChildPolicies } from "./tools/policy.ts";
import type { TurnAgent } from "./turns/turn-parts.ts";

type Agents = Pick<GatewayOptions, "agents" | "routes">;

/**
 * The agent of a session as its turns need it. One that is not configured any more is stood in for by the default agent.
 * The present configuration decides what a sub-agent may do; how deep it stands is its record's.
 */
export function getTurnAgent(
  { agents, routes }: Agents,
  { key, agentId: id, entry }: Pick<SessionRecord, "key" | "agentId" | "entry">,
): TurnAgent {
  const agent = agents[id] ?? agents[routes.defaultAgent];
  if (agent === undefined)
    throw new BanyanError("runtime_unavailable", `The agent ${id} was looked up: there is none; name it under agents`);
  const { runtime, workspace } = agent;
  const { spawnDepth = 0, spawnLineage = [], spawnedWorkspaceDir, thinkingLevel, interruption } = entry;
  const models = listModels(agent, entry);
  const thinking = interruption?.thinkingLevel ?? thinkingLevel ?? agent.thinking;
  const instructions = joinInstructions(agent.instructions, entry.subagentPrompt);
  const workspaceDir = spawnedWorkspaceDir ?? workspace;
  const budgets = narrowBudgets(
    agent.budgets,
    spawnLineage.map((one) => (agents[one] ?? agents[routes.defaultAgent])?.budgets),
  );
  const turnTimeoutMs = getTurnTimeoutMs(agent);
  const isStrict = !isProcessAllowed(resolveSandbox(agents, { agentId: id, spawnLineage }));
  return {
    id,
    runtime,
    workspaceDir,
    ...(budgets === undefined ? {} : { budgets }),
    ...(instructions === undefined ? {} : { instructions }),
    ...models,
    ...(thinking === undefined ? {} : { thinking }),
    policies: listChildPolicies({
      policies: [...spawnLineage, id].flatMap((one) => readPolicy({ agents, routes }, one)),
      role: resolveSubagentRole(spawnDepth, getMaxSpawnDepth(agent)),
      isStrict,
    }),
    isStrict,
    ...(turnTimeoutMs === undefined ? {} : { turnTimeoutMs }),
    ...(entry.acp === undefined ? {} : { acp: entry.acp }),
    boundaries: [
      ...spawnLineage.flatMap((one) => readBoundaries({ agents, routes }, one, undefined)),
      ...readBoundaries({ agents, routes }, id, workspaceDir),
    ],
    openPaths: findOpenPaths(key, entry.sessionId, workspaceDir),
  };
}

/** Behind a turn that was cut off another one may be asked first, and its own where that does not answer. */
function listModels(
  { model: usual, fallbackModels }: Pick<AgentConfig, "model" | "fallbackModels">,
  { modelOverride, interruption }: SessionRecord["entry"],
): Pick<TurnAgent, "model" | "fallbackModels"> {
  const own = modelOverride ?? usual;
  const model = interruption?.model ?? own;
  const further = own === undefined || own === model ? fallbackModels : [own, ...(fallbackModels ?? [])];
  return {
    ...(model === undefined ? {} : { model }),
    ...(further === undefined ? {} : { fallbackModels: further }),
  };
}

function joinInstructions(own: string | undefined, asChild: string | undefined): string | undefined {
  if (own === undefined || asChild === undefined) return own ?? asChild;
  return `${own}\n\n${asChild}`;
}

/** An agent that is gone is stood in for by the default agent, whose rules hold then. */
function readPolicy({ agents, routes }: Agents, id: string): readonly ToolPolicy[] {
  const tools = (agents[id] ?? agents[routes.defaultAgent])?.tools;
  if (tools === undefined) return [];
  const { allow, ask, exec = false } = tools;
  const deny = exec ? tools.deny : [...tools.deny, "exec"];
  return [{ deny, ...(allow === undefined ? {} : { allow }), ...(ask === undefined ? {} : { ask }) }];
}

/** Those of a parent start from its own workspace, wherever the child works. */
function readBoundaries(
  { agents, routes }: Agents,
  id: string,
  workspaceDir: string | undefined,
): TurnAgent["boundaries"] {
  const agent = agents[id] ?? agents[routes.defaultAgent];
  // Also without rules: what a lineage must name, each of its agents must.
  return agent === undefined ? [] : [{ baseDir: workspaceDir ?? agent.workspace, rules: agent.tools.boundaries ?? {} }];
}

/**
 * Files that came with a child's task, and those of the conversation that an agent has asked for: they lie in the host's own
 * folder, which tools cannot read otherwise.
 */
function findOpenPaths(key: string, sessionId: string, workspaceDir: string): readonly string[] {
  const parts = parseSessionKeyParts(key);
  const isOfRun = (parts?.kind === "subagent" || parts?.kind === "acp") && isRunId(parts.id);
  const received = findReceivedFolder(workspaceDir, sessionId);
  return [
    ...(isOfRun ? [join(workspaceDir, buildAttachmentsFolder(parts.id))] : []),
    ...(received === undefined ? [] : [received]),
  ];
}
