import type { SpawnRefusal } from "../../../src/subagents/spawn/spawn-refusal.ts";
import type { SpawnRequest } from "../../../src/subagents/spawn/spawn-request.ts";
import type { ChangedFacts } from "./spawn-desk.ts";

export interface BrokenRow {
  readonly name: string;
  readonly request?: Partial<SpawnRequest>;
  readonly facts?: ChangedFacts;
  readonly status: SpawnRefusal["status"];
  readonly code: SpawnRefusal["code"];
  readonly says: string;
}

/** One way to be refused for each row, in the order in which refusals are told. */
export const BROKEN_ROWS: readonly BrokenRow[] = [
  {
    name: "what comes later",
    request: { lightContext: true },
    status: "error",
    code: "not_there_yet",
    says: "not there yet: lightContext comes with the context layers; leave lightContext out",
  },
  {
    name: "an agent id that is none",
    request: { agentId: "Main Agent" },
    status: "error",
    code: "agent_id_invalid",
    says: 'agentId is not the id of an agent, received "Main Agent"; use an id that agents_list names, or leave agentId out for this agent',
  },
  {
    name: "no agent id where one is required",
    request: { agentId: undefined },
    facts: { agents: { main: { subagents: { requireAgentId: true } } } },
    status: "forbidden",
    code: "agent_id_required",
    says: "agentId is missing, and this agent has to name one each time; agents_list names them",
  },
  {
    name: "a foreign agent that is none",
    request: { runtime: "acp" },
    status: "error",
    code: "runtime_unfit",
    says: 'the agent main is no foreign agent, received runtime "acp"; leave runtime out',
  },
  {
    name: "a mode that is none",
    request: { mode: "loop" },
    status: "error",
    code: "mode_unknown",
    says: 'mode is unknown, received "loop"; use run or session',
  },
  {
    name: "mode session without a thread",
    request: { mode: "session", thread: false },
    status: "error",
    code: "mode_needs_thread",
    says: "mode session needs a thread in which people write to it; add thread: true, or use mode run",
  },
  {
    name: "a thinking level that is none",
    request: { thinking: "hard" },
    status: "error",
    code: "thinking_unknown",
    says: 'thinking is unknown, received "hard"; use one of off, minimal, low, medium, high, xhigh',
  },
  {
    name: "a model that the runtime does not list",
    request: { model: "huge" },
    facts: { models: { main: ["small", "large"], ops: ["small"] } },
    status: "error",
    code: "model_unknown",
    says: 'the runtime of the agent main does not list the model, received "huge"; use one of small, large',
  },
  {
    name: "attachments that are no list",
    request: { attachments: "notes.md" },
    status: "error",
    code: "attachments_malformed",
    says: 'attachments is no list, received "notes.md"; give a list of files',
  },
  {
    name: "a session too deep to spawn",
    facts: { requester: { depth: 2 } },
    status: "forbidden",
    code: "depth_reached",
    says: "depth limit reached (maxSpawnDepth 2); do the task yourself",
  },
  {
    name: "as many children as there may be",
    facts: { unfinishedChildren: 5 },
    status: "forbidden",
    code: "children_reached",
    says: "5 sub-agents of this session are unfinished, and 5 are allowed; wait until one is done (its result comes by itself) or stop one with the tool subagents",
  },
  {
    name: "a full tree",
    facts: { unfinishedTreeRuns: 64 },
    status: "forbidden",
    code: "tree_reached",
    says: "64 sub-agents of this whole conversation are unfinished, and 64 are allowed; wait until some are done, or do the task yourself",
  },
  {
    name: "an agent that is not allowed",
    request: { agentId: "ops" },
    status: "forbidden",
    code: "agent_not_allowed",
    says: "the agent ops may not be spawned from here; use one of main, or ask the operator to add it to agents.main.subagents.allowAgents",
  },
  {
    name: "a workspace outside",
    request: { workspaceDir: "/etc" },
    status: "forbidden",
    code: "workspace_outside",
    says: "workspaceDir lies outside the workspace; give a folder inside it, or leave workspaceDir out",
  },
  {
    name: "a sandbox below the parent's",
    facts: { requester: { sandbox: "strict" } },
    status: "forbidden",
    code: "sandbox_lower",
    says: "runs with sandbox workspace, which is less than this session's strict; use an agent with at least strict",
  },
  {
    name: "a thread where none can be bound",
    request: { thread: true },
    facts: { threads: "none" },
    status: "error",
    code: "thread_unavailable",
    says: "ferry has no threads; use mode run without thread",
  },
];
