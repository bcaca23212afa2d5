import type { AgentConfig, SubagentsConfig } from "../config.ts";
import type { AgentInput } from "./define-config.ts";
import type { SandboxLevel } from "./sandbox-level.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export const DEFAULT_SANDBOX: SandboxLevel = "workspace";

const DEFAULT_SUBAGENTS: SubagentsConfig = {
  maxSpawnDepth: 2,
  maxChildrenPerAgent: 5,
  allowAgents: [],
  requireAgentId: false,
  runTimeoutSeconds: 0,
  maxRunTimeoutSeconds: 0,
  archiveAfterMinutes: 60,
  announceTimeoutMs: 10 * MINUTE_MS,
};

/**
 * What an agent may spawn and how. Who asks counts for the limits, the allow-list and the times; whose session it is
 * going to be counts for `model`, `thinking`, its sandbox and how deep it may spawn in its turn.
 */
export interface SubagentRules {
  /** A session this deep spawns no more; people's sessions are at depth 0. */
  readonly maxSpawnDepth: number;
  /** Of one session, at once. */
  readonly maxChildrenPerAgent: number;
  /** Other agents that may be spawned, by id; `*` is any configured one. An agent may always spawn itself. */
  readonly allowAgents: readonly string[];
  readonly requireAgentId: boolean;
  /** Absent: a run may take as long as it takes. */
  readonly runTimeoutMs?: number;
  /** Whatever is asked for. Absent: as long as that. */
  readonly maxRunTimeoutMs?: number;
  /** Absent: a child is not archived by itself. */
  readonly archiveAfterMs?: number;
  readonly announceTimeoutMs: number;
  readonly model?: string;
  readonly thinking?: string;
  readonly sandbox: SandboxLevel;
}

/** An agent's rules with every default filled in; `undefined` stands for an agent that is not configured any more. */
export function getSubagentRules(agent: Pick<AgentConfig, "subagents" | "sandbox"> | undefined): SubagentRules {
  const { runTimeoutSeconds, maxRunTimeoutSeconds, archiveAfterMinutes, ...rest } = {
    ...DEFAULT_SUBAGENTS,
    ...agent?.subagents,
  };
  const runTimeoutMs = narrowRunTimeout(runTimeoutSeconds * SECOND_MS, maxRunTimeoutSeconds * SECOND_MS);
  return {
    ...rest,
    ...(runTimeoutMs > 0 && { runTimeoutMs }),
    ...(maxRunTimeoutSeconds > 0 && { maxRunTimeoutMs: maxRunTimeoutSeconds * SECOND_MS }),
    ...(archiveAfterMinutes > 0 && { archiveAfterMs: archiveAfterMinutes * MINUTE_MS }),
    sandbox: getSandboxLevel(agent),
  };
}

/** Apart from the other rules, because each turn asks for these two. */
export function getSandboxLevel(agent: Pick<AgentConfig, "sandbox"> | undefined): SandboxLevel {
  return agent?.sandbox ?? DEFAULT_SANDBOX;
}

export function getMaxSpawnDepth(agent: Pick<AgentConfig, "subagents">): number {
  return agent.subagents?.maxSpawnDepth ?? DEFAULT_SUBAGENTS.maxSpawnDepth;
}

/** How long a run may take that is asked to take so long; 0 is without an end, in both. */
export function narrowRunTimeout(askedMs: number, maxMs: number): number {
  if (maxMs === 0) return askedMs;
  return askedMs === 0 ? maxMs : Math.min(askedMs, maxMs);
}

/** An agent's own values before the ones of all agents, before ours. */
export function buildSubagents(agent: AgentInput, defaults: AgentInput): SubagentsConfig {
  return { ...DEFAULT_SUBAGENTS, ...withoutUnset(defaults.subagents), ...withoutUnset(agent.subagents) };
}

function withoutUnset(input: AgentInput["subagents"]): Partial<SubagentsConfig> {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== undefined));
}
