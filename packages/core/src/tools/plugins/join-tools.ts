import { BanyanError } from "../../ports/errors.ts";
import type { Tool } from "../tool.ts";

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
