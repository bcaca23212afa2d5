import type { PluginEntry } from "../config.ts";
import { isPlainObject } from "../problems/config-path.ts";
import { type ConfigProblem, formatReceived } from "../problems/config-problem.ts";
import type { PluginInput } from "./define-config.ts";

/** Builds the list of plugins; one named twice is a mistake, as its second configuration would be lost. */
export function buildPlugins(input: readonly (string | PluginInput)[]): {
  readonly plugins: readonly PluginEntry[];
  readonly problems: readonly ConfigProblem[];
} {
  const plugins = input.map((plugin) =>
    typeof plugin === "string"
      ? { package: plugin, config: {} }
      : { package: plugin.package, config: plugin.config ?? {} },
  );
  const names = plugins.map((plugin) => plugin.package);
  const problems = names.flatMap((name, at) =>
    names.indexOf(name) === at
      ? []
      : [
          {
            path: ["plugins", at],
            wrong: "the plugin is named twice",
            received: formatReceived(name),
            cure: "remove one of the two",
          },
        ],
  );
  return { plugins, problems };
}

/** The plugins an input names, before it is checked: their manifests are read first. Total: never throws. */
export function listPluginNames(input: unknown): readonly string[] {
  const plugins = isPlainObject(input) && Array.isArray(input.plugins) ? input.plugins : [];
  return plugins.flatMap((plugin: unknown) => {
    const name = isPlainObject(plugin) ? plugin.package : plugin;
    return typeof name === "string" && name.trim() !== "" ? [name.trim()] : [];
  });
}
