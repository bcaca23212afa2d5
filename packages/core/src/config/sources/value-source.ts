import { type ConfigPath, formatPath } from "../problems/config-path.ts";

/** Where an effective value comes from: `environment NAME` names the variable. */
export type ValueSource = "default" | "file" | `environment ${string}`;

/** The sources of the values that are no defaults, by formatted path. A list stands as a whole. */
export type ValueSources = ReadonlyMap<string, ValueSource>;

/** Finds the source of a value; what stands inside a list or an object of a known source shares it. */
export function findSource(sources: ValueSources, path: ConfigPath): ValueSource {
  for (let length = path.length; length > 0; length--) {
    const source = sources.get(formatPath(path.slice(0, length)));
    if (source !== undefined) return source;
  }
  return "default";
}
