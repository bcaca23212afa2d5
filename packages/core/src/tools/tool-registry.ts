import type { ToolDescription } from "@banyan/plugin-sdk";
import type { Tool } from "./tool.ts";
import { isToolAllowed, type ToolPolicy } from "./tool-policy.ts";

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
