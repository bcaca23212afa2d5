import { resolve } from "node:path";
import type { ConfigPath } from "../problems/config-path.ts";
import type { EnvironmentValue } from "./channel-environment.ts";
import { type Environment, findForm, findVariable, parseEnvironmentValue } from "./environment-value.ts";

/** Variables that take precedence over the file, each with the key it sets. */
export const OVERRIDES: readonly (readonly [name: string, path: ConfigPath])[] = [
  ["BANYAN_STATE_DIR", ["stateDir"]],
  ["BANYAN_PORT", ["server", "port"]],
  ["BANYAN_LOG_LEVEL", ["log", "level"]],
];

/** What the environment says over the file. A folder in a variable is meant from where the command runs. */
export function listOverrides(env: Environment, cwd: string): readonly EnvironmentValue[] {
  return OVERRIDES.flatMap(([name, path]) => {
    const text = findVariable(env, name);
    if (text === undefined) return [];
    const value = path[0] === "stateDir" ? resolve(cwd, text) : parseEnvironmentValue(text, findForm(path));
    return [{ path, name, text, value, secret: false }];
  });
}
