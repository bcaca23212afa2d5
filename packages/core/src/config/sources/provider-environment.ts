import { findAtPath } from "../problems/config-path.ts";
import type { EnvironmentValue } from "./channel-environment.ts";
import { type Environment, findVariable } from "./environment-value.ts";

/** A provider of models that variables alone can give; the host has a list of them, the core knows none. */
export interface ProviderVariables {
  /** Its key under `providers`. */
  readonly name: string;
  readonly kind: "openai-compatible" | "anthropic";
  /** Each of them switches the provider on. */
  readonly variables: Readonly<Record<string, "apiKey" | "baseUrl">>;
  /** Where it answers when no variable says so. */
  readonly baseUrl?: string;
  /** What an agent that names no model asks; at a base URL of the operator's own, the first model that is listed there. */
  readonly usualModel: string;
}

/** Decides what the variables of providers give: they fill what the file leaves open. Pure. */
export function decideProviderEnvironment(
  input: unknown,
  { name: provider, variables }: ProviderVariables,
  env: Environment,
): readonly EnvironmentValue[] {
  return Object.entries(variables).flatMap(([name, key]) => {
    const path = ["providers", provider, key];
    const text = findVariable(env, name);
    if (text === undefined || findAtPath(input, path) !== undefined) return [];
    return [{ path, name, text, value: text, secret: key === "apiKey" }];
  });
}

/** The model of agents that name none: of the first provider that a variable has switched on. */
export function findUsualModel(providers: readonly ProviderVariables[], env: Environment): string | undefined {
  for (const { name, variables, usualModel } of providers) {
    const set = Object.entries(variables).filter(([variable]) => findVariable(env, variable) !== undefined);
    if (set.length === 0) continue;
    return set.some(([, key]) => key === "baseUrl") ? name : `${name}/${usualModel}`;
  }
  return undefined;
}
