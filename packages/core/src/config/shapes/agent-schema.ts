import { z } from "zod";
import { acpSchema } from "./acp-config.ts";
import { boundariesSchema } from "./boundaries-config.ts";
import { budgetsSchema } from "./budget-config.ts";
import type { AgentInput } from "./define-config.ts";
import { SANDBOX_LEVELS } from "./sandbox-level.ts";
import type { SubagentsInput } from "./subagents-input.ts";
import { THINKING_LEVELS } from "./thinking-level.ts";

/** Deeper trees are a mistake, and the deepest still fits a screen. */
const DEEPEST_SPAWN = 8;
const MOST_CHILDREN = 100;
/** A list that names more agents means `*`. */
const MOST_NAMED_AGENTS = 1_000;
/** A timer is kept in whole milliseconds by every driver; a month is longer than any task. */
const LONGEST_RUN_SECONDS = 30 * 24 * 3_600;
const LONGEST_ARCHIVE_MINUTES = 366 * 24 * 60;
/** Under a second the host would speak before any parent can. */
const SHORTEST_ANNOUNCE_MS = 1_000;
const LONGEST_ANNOUNCE_MS = 24 * 3_600_000;
/** Each is asked four times; nobody waits for more. */
const MOST_FALLBACKS = 8;

const text = z.string().trim().min(1);

/** A list of ids of agents, or `*`. */
export const agentIdsSchema: z.ZodType<readonly string[], readonly string[]> = z.array(text).max(MOST_NAMED_AGENTS);

const runSeconds = z.int().min(0).max(LONGEST_RUN_SECONDS).optional();

/** Without defaults: an agent's own value stands over the one of all agents. */
const subagentsSchema: z.ZodType<SubagentsInput, SubagentsInput> = z.strictObject({
  maxSpawnDepth: z
    .int()
    .min(1)
    .max(DEEPEST_SPAWN)
    .optional()
    .describe("A session at this depth cannot spawn. A person's session is at depth 0."),
  maxChildrenPerAgent: z
    .int()
    .min(1)
    .max(MOST_CHILDREN)
    .optional()
    .describe("Unfinished sub-agents that one session may have. A further one is refused."),
  allowAgents: agentIdsSchema
    .optional()
    .describe('Other agents that it may spawn. `"*"` allows every agent. An agent may always spawn itself.'),
  requireAgentId: z.boolean().optional().describe("Each spawn must name the agent."),
  runTimeoutSeconds: runSeconds.describe("Time limit of a run that asks for none. 0 means no limit."),
  maxRunTimeoutSeconds: runSeconds.describe("Longest time limit that a run can ask for. 0 means no maximum."),
  archiveAfterMinutes: z
    .int()
    .min(0)
    .max(LONGEST_ARCHIVE_MINUTES)
    .optional()
    .describe(
      "The session of a sub-agent is archived this long after the spawn. If the run has not ended by then, the time counts from its end. 0 means never.",
    ),
  announceTimeoutMs: z
    .int()
    .min(SHORTEST_ANNOUNCE_MS)
    .max(LONGEST_ANNOUNCE_MS)
    .optional()
    .describe("If the parent agent has not reported a result after this time, Banyan reports it to the chat."),
  model: text
    .optional()
    .describe("Model of the agent when it runs as a sub-agent, as `provider/model`. Default: its `model`."),
  thinking: z
    .enum(THINKING_LEVELS)
    .optional()
    .describe("Thinking level of the agent when it runs as a sub-agent. Default: its `thinking`."),
});

/** Without defaults: an agent's own value stands over the one of all agents. */
const agentToolsSchema: z.ZodType<NonNullable<AgentInput["tools"]>, NonNullable<AgentInput["tools"]>> = z.strictObject({
  allow: z.array(text).optional().describe('Tools that the agent has, by name. `"*"` means every tool. Default: all.'),
  deny: z.array(text).optional().describe("Tools that the agent does not have. `deny` takes precedence over `allow`."),
  ask: z
    .array(text)
    .optional()
    .describe('Tools that a person must approve in the chat at each call. `"*"` means every tool.'),
  exec: z
    .boolean()
    .optional()
    .describe(
      "Enables the tool `exec`: the agent runs programs with the rights of the user that runs Banyan. Needs a `workspace` that is a separate folder. Default: `false`.",
    ),
  boundaries: boundariesSchema
    .optional()
    .describe("Limits of the agent's tools. A sub-agent also has the limits of every agent above it."),
});

export const agentSchema: z.ZodType<AgentInput, AgentInput> = z.strictObject({
  runtime: text
    .optional()
    .describe(
      "What runs the agent: `demo` (the built-in agent), `echo`, `ai` (a language model) or `acp` (a foreign agent). Default: `ai` if the agent has a model, otherwise `demo`.",
    ),
  model: text
    .optional()
    .describe(
      "Language model, as `provider/model`. With `acp`: a model of the foreign agent. Default: the model of the provider whose environment variable is set.",
    ),
  fallbackModels: z
    .array(text)
    .max(MOST_FALLBACKS)
    .optional()
    .describe("Models to try, in this order, when `model` does not answer."),
  thinking: z
    .enum(THINKING_LEVELS)
    .optional()
    .describe("How much the model thinks before it answers. Default: the provider decides."),
  instructions: z.string().optional().describe("Instructions for the agent, part of its system prompt."),
  workspace: text
    .optional()
    .describe(
      "Folder that the agent's tools work in. A relative path starts from the folder of the configuration file. Default: the folder of the configuration file.",
    ),
  tools: agentToolsSchema.optional().describe("Tools that the agent has."),
  sandbox: z
    .enum(SANDBOX_LEVELS)
    .optional()
    .describe(
      "File tools stay inside the workspace at each level. `strict` also starts no process: no `exec`, no foreign agent. A sub-agent's level is never weaker than its parent's. Banyan enforces this rule; it does not isolate processes.",
    ),
  subagents: subagentsSchema.optional().describe("What the agent's sub-agents may do, and how many there may be."),
  budgets: budgetsSchema.optional().describe("What the agent may use up. A key that is not set is not limited."),
  turnTimeoutSeconds: runSeconds.describe(
    "A turn that neither writes nor calls a tool for this long is stopped, and its sender is notified. 0 means never. The time of a question to a person or of a tool call does not count. A tool that a foreign agent runs by itself does not count either, from its first report until its end is reported, but for at most an hour after its last report (`budgets.maxToolTimeoutSeconds`, if set). Default: 600.",
  ),
  acp: acpSchema.optional().describe('The foreign agent, with `runtime: "acp"`.'),
  default: z
    .boolean()
    .optional()
    .describe(
      "The agent answers where no route matches. With several agents, one must set it. Default: `true` for the only agent.",
    ),
});
