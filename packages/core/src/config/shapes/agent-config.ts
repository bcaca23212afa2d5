import { resolve } from "node:path";
import { DEFAULT_AGENT_ID } from "../../sessions/keys/agent-id.ts";
import { type AgentConfig, buildRecord } from "../config.ts";
import { type ConfigProblem, formatReceived } from "../problems/config-problem.ts";
import { findNearestWord } from "../problems/nearest-word.ts";
import { ACP_RUNTIME, buildAcp, checkAcp } from "./acp-config.ts";
import { checkAgentIds, formatAgentNames } from "./agent-list.ts";
import { buildBoundaries, checkAgentTools } from "./boundaries-config.ts";
import { buildBudgets, checkBudgets } from "./budget-config.ts";
import { checkName } from "./config-name.ts";
import type { AgentInput } from "./define-config.ts";
import { checkModels, type ModelPlaces } from "./provider-config.ts";
import { buildSubagents, DEFAULT_SANDBOX } from "./subagent-rules.ts";

/** Not an agent, but what all agents start from. */
export const AGENT_DEFAULTS_KEY = "defaults";
const DEFAULT_RUNTIME = "demo";
/** What answers for an agent that has a model. */
const MODEL_RUNTIME = "ai";
/** Longer than a model thinks, and shorter than people wait. */
const DEFAULT_TURN_TIMEOUT_SECONDS = 600;
/** What every gateway brings along; an embedding program may add its own. */
export const BUILT_IN_RUNTIMES: readonly string[] = [DEFAULT_RUNTIME, "echo", MODEL_RUNTIME, ACP_RUNTIME];

export interface AgentsContext extends ModelPlaces {
  /** What relative workspaces start from. */
  readonly folder: string;
  readonly runtimes: readonly string[];
  /** For agents that name no model. */
  readonly usualModel: string | undefined;
}

export interface BuiltAgents {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly defaultAgent: string;
  readonly problems: readonly ConfigProblem[];
}

/** Builds the agents over their defaults and finds the one that takes what no route matches. */
export function buildAgents(input: Readonly<Record<string, AgentInput>>, context: AgentsContext): BuiltAgents {
  const { [AGENT_DEFAULTS_KEY]: defaults = {}, ...named } = input;
  const written = Object.keys(named).length > 0 ? named : { [DEFAULT_AGENT_ID]: {} };
  const entries = Object.entries(written);
  const [first = DEFAULT_AGENT_ID] = Object.keys(written);
  const [chosen = first, ...more] = entries.flatMap(([id, agent]) => (agent.default === true ? [id] : []));
  const agents = entries.map(([id, agent]) => [id, buildAgent(agent, defaults, context)] as const);
  return {
    agents: buildRecord(agents),
    defaultAgent: chosen,
    problems: [
      ...entries.flatMap(([id]) => checkName("agent", id, ["agents", id])),
      ...Object.entries(input).flatMap(([id, agent]) => checkRuntime(id, agent.runtime, context.runtimes)),
      ...Object.entries(input).flatMap(([id, agent]) =>
        checkAgentIds(agent.subagents?.allowAgents, ["agents", id, "subagents", "allowAgents"], Object.keys(written)),
      ),
      ...agents.flatMap(([id, agent]) => checkAcp(id, agent, { hasOwn: named[id]?.acp !== undefined })),
      ...Object.entries(input).flatMap(([id, agent]) =>
        // A runtime of another kind knows names of its own.
        (agent.runtime ?? defaults.runtime ?? MODEL_RUNTIME) === MODEL_RUNTIME ? checkModels(id, agent, context) : [],
      ),
      ...entries.flatMap(([id, agent]) => checkHasModel(id, agent, defaults, context)),
      ...Object.entries(input).flatMap(([id, agent]) => checkAgentTools(agent, defaults, ["agents", id, "tools"])),
      ...checkDefaults(defaults),
      ...entries.flatMap(([id, agent]) => checkBudgets(id, buildBudgets(agent, defaults))),
      ...more.map((id) => ({
        path: ["agents", id, "default"],
        wrong: `the agent ${chosen} is the default already`,
        received: "true",
        cure: "leave default: true on one agent",
      })),
      ...(entries.length > 1 && !entries.some(([, agent]) => agent.default === true)
        ? [noDefaultProblem(Object.keys(written))]
        : []),
    ],
  };
}

function buildAgent(agent: AgentInput, defaults: AgentInput, context: AgentsContext): AgentConfig {
  const instructions = agent.instructions ?? defaults.instructions;
  const ask = agent.tools?.ask ?? defaults.tools?.ask;
  const budgets = buildBudgets(agent, defaults);
  const acp = buildAcp(agent.acp, defaults.acp, context.folder);
  const allow = agent.tools?.allow ?? defaults.tools?.allow;
  const model = agent.model ?? defaults.model;
  const fallbackModels = agent.fallbackModels ?? defaults.fallbackModels;
  const thinking = agent.thinking ?? defaults.thinking;
  const usual = (model ?? context.usualModel) === undefined ? DEFAULT_RUNTIME : MODEL_RUNTIME;
  const boundaries = buildBoundaries(agent.tools?.boundaries, defaults.tools?.boundaries);
  return {
    runtime: agent.runtime ?? defaults.runtime ?? usual,
    ...(model !== undefined && { model }),
    ...(fallbackModels !== undefined && { fallbackModels }),
    ...(thinking !== undefined && { thinking }),
    ...(instructions !== undefined && { instructions }),
    workspace: resolve(context.folder, agent.workspace ?? defaults.workspace ?? "."),
    tools: {
      ...(allow !== undefined && { allow }),
      deny: agent.tools?.deny ?? defaults.tools?.deny ?? [],
      ...(ask !== undefined && { ask }),
      ...((agent.tools?.exec ?? defaults.tools?.exec) === true && { exec: true }),
      ...(boundaries !== undefined && { boundaries }),
    },
    turnTimeoutSeconds: agent.turnTimeoutSeconds ?? defaults.turnTimeoutSeconds ?? DEFAULT_TURN_TIMEOUT_SECONDS,
    sandbox: agent.sandbox ?? defaults.sandbox ?? DEFAULT_SANDBOX,
    subagents: buildSubagents(agent, defaults),
    ...(budgets !== undefined && { budgets }),
    ...(acp !== undefined && { acp }),
  };
}

/** `undefined`: its turns may be silent for as long as they like. */
export function getTurnTimeoutMs({ turnTimeoutSeconds }: Pick<AgentConfig, "turnTimeoutSeconds">): number | undefined {
  const seconds = turnTimeoutSeconds ?? DEFAULT_TURN_TIMEOUT_SECONDS;
  return seconds === 0 ? undefined : seconds * 1_000;
}

function checkRuntime(id: string, runtime: string | undefined, runtimes: readonly string[]): readonly ConfigProblem[] {
  if (runtime === undefined || runtimes.includes(runtime)) return [];
  const nearest = findNearestWord(runtime, runtimes);
  return [
    {
      path: ["agents", id, "runtime"],
      wrong: "no such runtime",
      received: formatReceived(runtime),
      cure: nearest === undefined ? `use one of ${runtimes.join(", ")}` : `did you mean "${nearest}"?`,
    },
  ];
}

/** The runtime of models answers nothing without one. */
function checkHasModel(
  id: string,
  agent: AgentInput,
  defaults: AgentInput,
  { usualModel }: AgentsContext,
): readonly ConfigProblem[] {
  const runtime = agent.runtime ?? defaults.runtime;
  if (runtime !== MODEL_RUNTIME || (agent.model ?? defaults.model ?? usualModel) !== undefined) return [];
  const cure = 'write "provider/model", with the provider under providers';
  return [{ path: ["agents", id, "model"], wrong: `needed by the runtime ${runtime}`, cure }];
}

function checkDefaults(defaults: AgentInput): readonly ConfigProblem[] {
  if (defaults.default === undefined) return [];
  return [
    {
      path: ["agents", AGENT_DEFAULTS_KEY, "default"],
      wrong: `the name ${AGENT_DEFAULTS_KEY} is reserved and not an agent`,
      received: String(defaults.default),
      cure: "set default: true on an agent",
    },
  ];
}

function noDefaultProblem(ids: readonly string[]): ConfigProblem {
  return {
    path: ["agents"],
    wrong: "several agents and none is the default",
    received: formatAgentNames(ids),
    cure: "set default: true on the one that takes what no route matches",
  };
}
