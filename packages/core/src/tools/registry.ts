import type { Log, PluginTool, PluginToolAnswer, ToolDescription, ToolPlugin, ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import { readPluginSchema } from "../config/shapes/plugin-key.ts";
import { BanyanError } from "../ports/errors.ts";
import { type ArgumentIssue, listArgumentProblems } from "./definition.ts";
import { isToolAllowed, type ToolPolicy } from "./policy.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** The names that the agents' interfaces accept. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export interface ToolRegistry {
  find(name: string): Tool | undefined;
  /** Lists the descriptions for an agent with these policies, ordered by name. */
  list(policies: readonly ToolPolicy[]): readonly ToolDescription[];
}

/** Created once, from all tools. Throws for an invalid name and for two tools with the same name: both are bugs. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const { name } = tool.description;
    if (!NAME.test(name)) throw new Error(`Registering the tool ${JSON.stringify(name)}: its name must match ${NAME}.`);
    if (byName.has(name)) throw new Error(`Registering the tool ${name}: there is one already; rename one of them.`);
    byName.set(name, tool);
  }
  const sorted = [...byName.values()].map(({ description }) => description).sort(byCodeUnits);
  return {
    find: (name) => byName.get(name),
    list: (policies) => sorted.filter(({ name }) => isToolAllowed(name, policies)),
  };
}

function byCodeUnits(one: ToolDescription, other: ToolDescription): number {
  return one.name < other.name ? -1 : 1;
}

export interface OfferedTools {
  /** The plugin's id. */
  readonly by: string;
  readonly tools: readonly Tool[];
}

/** Joins the gateway's own tools and those of plugins. Throws `plugin_invalid` for a name that is taken. */
export function joinTools(own: readonly Tool[], offered: readonly OfferedTools[]): readonly Tool[] {
  const owners = new Map(own.map(({ description }) => [description.name, "Banyan itself"]));
  for (const { by, tools } of offered) {
    for (const { description } of tools) {
      const { name } = description;
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new BanyanError(
          "plugin_invalid",
          `loading the plugin ${by}: a tool has the name of another one, received ${name}, which is of ${owner}; rename it, or remove one of the plugins`,
        );
      owners.set(name, `the plugin ${by}`);
    }
  }
  return [...own, ...offered.flatMap(({ tools }) => tools)];
}

const answerSchema: z.ZodType<{ readonly text: string; readonly isError: boolean }> = z.object({
  text: z.string(),
  isError: z.boolean().default(false),
});

/** A tool plugin with its parsed configuration. */
export interface LoadedToolPlugin {
  readonly plugin: ToolPlugin;
  readonly config: unknown;
}

/** Creates the tools of a plugin, with the checks, limits and audit of the gateway's own. */
export function createPluginTools({ plugin, config }: LoadedToolPlugin, log: Log): readonly Tool[] {
  return plugin.tools.map((tool) => createPluginTool(tool, config, log));
}

function createPluginTool(tool: PluginTool, config: unknown, log: Log): Tool {
  const { name, description, isRepeatable, timeoutMs } = tool;
  return {
    description: { name, description, parameters: readParameters(tool) },
    isRepeatable,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    // What a plugin's tool does is not known, so each call is audited.
    effect: "runs",
    prepare(args) {
      const validated = tool.args["~standard"].validate(args);
      if (validated instanceof Promise)
        throw new Error(`The tool ${name} was called: its schema does not answer at once`);
      if (validated.issues !== undefined) return { kind: "invalid", problem: formatProblems(validated.issues) };
      return { kind: "ready", run: (context) => runTool(tool, validated.value, { config, log }, context) };
    },
  };
}

async function runTool(
  tool: PluginTool,
  args: unknown,
  own: { readonly config: unknown; readonly log: Log },
  { event, workspaceDir, signal }: ToolContext,
): Promise<ToolResult> {
  const { agentId, sessionKey, turnId, call } = event;
  const turn = { agentId, sessionKey, turnId, ordinal: call.ordinal, workspaceDir, signal };
  const answer: PluginToolAnswer = await tool.run(args, { ...own, ...turn });
  // The plugin may not be type-checked.
  return typeof answer === "string" ? { text: answer, isError: false } : answerSchema.parse(answer);
}

function readParameters({ args, parameters }: PluginTool): Readonly<Record<string, unknown>> {
  const known = z.record(z.string(), z.unknown()).safeParse(parameters ?? readPluginSchema(args));
  return known.success ? known.data : { type: "object" };
}

function formatProblems(issues: readonly ArgumentIssue[]): string {
  return listArgumentProblems({ issues })
    .problems.map((problem) => `${problem}.`)
    .join(" ");
}
