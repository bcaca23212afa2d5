import { formatAddress } from "@banyan/plugin-sdk";
import type { AgentConfig } from "../../../src/config/config.ts";
import type { SpawnFacts, SpawnRequester } from "../../../src/subagents/spawn/spawn-facts.ts";
import { decideSpawn, type SpawnDecision } from "../../../src/subagents/spawn/spawn-pipeline.ts";
import type { SpawnPlan } from "../../../src/subagents/spawn/spawn-plan.ts";
import type { SpawnRequest } from "../../../src/subagents/spawn/spawn-request.ts";

const ADDRESS = formatAddress({ channel: "ferry", account: "default", kind: "dm", chat: "ada" });
export const RUN_ID = "5f0c2a52-2b8e-4a6e-9d0a-3c1f6e7b8a90";

/** What differs from an ordinary ask; `requester` and `agents` piece by piece. */
export interface ChangedFacts extends Partial<Omit<SpawnFacts, "requester" | "agents">> {
  readonly requester?: Partial<SpawnRequester>;
  readonly agents?: Readonly<Record<string, Partial<AgentConfig>>>;
}

/** The agent main, in a person's session on a channel with threads, beside the agent ops, which it may not spawn. */
function buildFacts({ requester, agents = {}, ...changed }: ChangedFacts = {}): SpawnFacts {
  const agent = (id: string): AgentConfig => ({
    runtime: "demo",
    workspace: `/srv/${id}`,
    tools: { deny: [] },
    ...agents[id],
  });
  return {
    runId: RUN_ID,
    source: "tool",
    askedBy: "7",
    requester: {
      sessionKey: "agent:main:ferry:dm:ada",
      agentId: "main",
      address: ADDRESS,
      depth: 0,
      sandbox: "workspace",
      workspaceDir: "/srv/main",
      contextTokens: 1_000,
      ...requester,
    },
    agents: { main: agent("main"), ops: agent("ops") },
    limits: { maxTreeRuns: 64 },
    unfinishedChildren: 0,
    unfinishedTreeRuns: 0,
    models: { main: ["small", "large"] },
    threads: "bound",
    workspaceRoots: [],
    ...changed,
  };
}

export function spawn(request: Partial<SpawnRequest>, changed: ChangedFacts = {}): SpawnDecision {
  return decideSpawn({ task: "Count the words.", ...request }, buildFacts(changed));
}

/** The plan of an ask that must not be refused. */
export function planOf(request: Partial<SpawnRequest>, changed: ChangedFacts = {}): SpawnPlan {
  const decision = spawn(request, changed);
  if (decision.kind === "refused") throw new Error(`It was refused: ${decision.error}`);
  return decision.plan;
}
