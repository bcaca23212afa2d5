import type { PluginTool } from "@banyan/plugin-sdk";

/** Libraries make their schemas as objects, classes or functions. */
export function isStandardSchema(value: unknown): value is PluginTool["args"] {
  const holder = typeof value === "object" || typeof value === "function" ? value : null;
  if (holder === null || !("~standard" in holder)) return false;
  const standard: unknown = holder["~standard"];
  return typeof standard === "object" && standard !== null && "validate" in standard
    ? typeof standard.validate === "function"
    : false;
}
