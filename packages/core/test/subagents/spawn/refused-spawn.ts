import type { AgentConfig, SubagentsConfig } from "../../../src/config/config.ts";
import type { TreeDeskOptions } from "../tree-desk.ts";

/** A spawn that the rules refuse, asked for in a whole gateway. */
export interface RefusedSpawn {
  readonly name: string;
  readonly agents?: Readonly<Record<string, Partial<AgentConfig>>>;
  readonly options?: TreeDeskOptions["options"];
  /** What is at work before it is asked. */
  readonly busy?: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  /** The same as a person writes it; absent where a command cannot say it. */
  readonly line?: string;
  readonly status: "error" | "forbidden";
  readonly code: string;
  readonly says: string;
}

const rules = (subagents: Partial<SubagentsConfig>) => ({ main: { subagents } });
const file = (name: string, content: string) => ({ name, content });

/** The spec's table of checks, a line for each condition, in its order; without depth, which only a person can ask for. */
export const REFUSED_SPAWNS: readonly RefusedSpawn[] = [
  {
    name: "an agent id that is none",
    args: { agentId: "Main Agent" },
    line: '--agent "Main Agent"',
    status: "error",
    code: "agent_id_invalid",
    says: "agentId is not the id of an agent",
  },
  {
    name: "no agent id where one is required",
    agents: rules({ requireAgentId: true }),
    args: {},
    line: "",
    status: "forbidden",
    code: "agent_id_required",
    says: "agentId is missing",
  },
  {
    name: "mode session without a thread",
    args: { mode: "session" },
    line: "--mode session",
    status: "error",
    code: "mode_needs_thread",
    says: "mode session needs a thread",
  },
  {
    name: "a thinking level that is none",
    args: { thinking: "hard" },
    status: "error",
    code: "thinking_unknown",
    says: 'thinking is unknown, received "hard"',
  },
  {
    name: "a model that is not listed",
    agents: rules({ model: "huge" }),
    args: {},
    line: "",
    status: "error",
    code: "model_unknown",
    says: 'does not list the model, received "huge"',
  },
  {
    name: "more than 50 attachments",
    args: { attachments: Array.from({ length: 51 }, (_, at) => file(`${at}.md`, "x")) },
    status: "error",
    code: "attachments_too_many",
    says: "at most 50 attachments are taken, received 51",
  },
  {
    name: "an attachment over 1 MiB",
    args: { attachments: [file("a.md", "x".repeat(1_048_577))] },
    status: "error",
    code: "attachment_too_large",
    says: "is too large",
  },
  {
    name: "attachments over 5 MiB in all",
    args: { attachments: Array.from({ length: 6 }, (_, at) => file(`${at}.md`, "x".repeat(1_000_000))) },
    status: "error",
    code: "attachments_too_large",
    says: "more than 5120 KiB in all",
  },
  {
    name: "an attachment whose name climbs",
    args: { attachments: [file("../a.md", "x")] },
    status: "error",
    code: "attachment_name_invalid",
    says: "use a plain file name without a path",
  },
  {
    name: "two attachments of one name",
    args: { attachments: [file("a.md", "x"), file("A.md", "y")] },
    status: "error",
    code: "attachment_name_duplicate",
    says: "rename one",
  },
  {
    name: "an attachment that is no base64",
    args: { attachments: [{ ...file("a.bin", "not base64!"), encoding: "base64" }] },
    status: "error",
    code: "attachment_content_invalid",
    says: "is not base64",
  },
  {
    name: "as many children as there may be",
    agents: rules({ maxChildrenPerAgent: 2 }),
    busy: ["a", "b"],
    args: {},
    line: "",
    status: "forbidden",
    code: "children_reached",
    says: "2 sub-agents of this session are unfinished, and 2 are allowed",
  },
  {
    name: "a full tree",
    options: { limits: { maxTreeRuns: 2 } },
    busy: ["a", "b"],
    args: {},
    line: "",
    status: "forbidden",
    code: "tree_reached",
    says: "2 sub-agents of this whole conversation are unfinished, and 2 are allowed",
  },
  {
    name: "another agent than those that are allowed",
    args: { agentId: "ops" },
    line: "--agent ops",
    status: "forbidden",
    code: "agent_not_allowed",
    says: "the agent ops may not be spawned from here; use one of main",
  },
  {
    name: "an agent that is not configured",
    agents: rules({ allowAgents: ["*"] }),
    args: { agentId: "nobody" },
    line: "--agent nobody",
    status: "forbidden",
    code: "agent_unknown",
    says: "there is no agent nobody in the configuration",
  },
  {
    name: "a sandbox below the parent's",
    agents: { ...rules({ allowAgents: ["ops"] }), ops: { sandbox: "off" } },
    args: { agentId: "ops" },
    line: "--agent ops",
    status: "forbidden",
    code: "sandbox_lower",
    says: "runs with sandbox off, which is less than this session's workspace",
  },
  {
    name: "a sandbox that is required and not there",
    agents: { main: { sandbox: "off" } },
    args: { sandbox: "require" },
    status: "forbidden",
    code: "sandbox_required",
    says: "a sandbox is required",
  },
  {
    name: "a thread where no plugin binds any",
    args: { thread: true },
    line: "--thread",
    status: "error",
    code: "thread_unavailable",
    says: "irc has no threads",
  },
];
