import type { Log, PluginTool, PluginToolAnswer, ToolDescription, ToolPlugin, ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import { readPluginSchema } from "../config/shapes/plugin-key.ts";
import { BanyanError } from "../ports/errors.ts";
import { type ArgumentIssue, listArgumentProblems } from "./definition.ts";
import { isToolAllowed, type ToolPolicy } from "./policy.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** What the agents' interfaces take as a tool's name. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export interface ToolRegistry {
  find(name: string): Tool | undefined;
  /** The descriptions an agent under these policies is given, ordered by name. */
  list(policies: readonly ToolPolicy[]): readonly ToolDescription[];
}

/** Made once, of everything that offers tools. Throws at a bad name and at two tools of one name: both are bugs. */
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

/** The gateway's own tools and those of plugins. Throws `plugin_invalid` for a name that is taken. */
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

/** A tool plugin with what its configuration is. */
export interface LoadedToolPlugin {
  readonly plugin: ToolPlugin;
  readonly config: unknown;
}

/** The tools of a plugin as the gateway calls them: judged, bounded and audited like its own. */
export function createPluginTools({ plugin, config }: LoadedToolPlugin, log: Log): readonly Tool[] {
  return plugin.tools.map((tool) => createPluginTool(tool, config, log));
}

function createPluginTool(tool: PluginTool, config: unknown, log: Log): Tool {
  const { name, description, isRepeatable, timeoutMs } = tool;
  return {
    description: { name, description, parameters: readParameters(tool) },
    isRepeatable,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    // What a stranger's tool does is not known, so each call is audited.
    effect: "runs",
    prepare(args) {
      const judged = tool.args["~standard"].validate(args);
      if (judged instanceof Promise) throw new Error(`The tool ${name} was called: its schema does not answer at once`);
      if (judged.issues !== undefined) return { kind: "invalid", problem: formatProblems(judged.issues) };
      return { kind: "ready", run: (context) => runTool(tool, judged.value, { config, log }, context) };
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
  const around = { agentId, sessionKey, turnId, ordinal: call.ordinal, workspaceDir, signal };
  const answer: PluginToolAnswer = await tool.run(args, { ...own, ...around });
  // A plugin may be written without types.
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
