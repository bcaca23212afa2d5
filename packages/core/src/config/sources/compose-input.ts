import { type ConfigPath, formatPath, matchesPath, withValueAt } from "../problems/config-path.ts";
import type { ConfigProblem } from "../problems/config-problem.ts";
import { ACCOUNT_KEYS } from "../shapes/account-schema.ts";
import type { ChannelManifest } from "../shapes/channel-manifest.ts";
import { decideChannelEnvironment, type EnvironmentValue } from "./channel-environment.ts";
import { listOverrides } from "./environment-override.ts";
import { resolveReferences, type UnsetVariables } from "./environment-reference.ts";
import type { Environment } from "./environment-value.ts";
import { decideProviderEnvironment, type ProviderVariables } from "./provider-environment.ts";
import { isSecretName, listScalars } from "./secret-path.ts";
import { listSecretVariables } from "./secret-variable.ts";
import type { ValueSource, ValueSources } from "./value-source.ts";

export interface ComposeContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly manifests: readonly ChannelManifest[];
  readonly providers?: readonly ProviderVariables[] | undefined;
  readonly unset?: UnsetVariables | undefined;
}

/** An input with the environment in it, not judged yet. */
export interface ComposedInput {
  readonly value: unknown;
  readonly sources: ValueSources;
  readonly secrets: readonly string[];
  readonly secretPaths: ReadonlySet<string>;
  readonly isSecret: (path: ConfigPath) => boolean;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Lays the environment over and under a file's input: references are resolved, `BANYAN_*` wins over the file, and a
 * channel's and a provider's variables fill what the file leaves open. Notes the source of each value and what is secret.
 */
export function composeInput(input: unknown, context: ComposeContext): ComposedInput {
  const { env, cwd, manifests, providers = [], unset } = context;
  const resolved = resolveReferences(input, env, unset);
  const sources = new Map<string, ValueSource>(resolved.sources);
  const fromEnvironment: EnvironmentValue[] = [];
  let value = resolved.value;
  const apply = (given: readonly EnvironmentValue[]) => {
    for (const one of given) {
      value = withValueAt(value, one.path, one.value);
      sources.set(formatPath(one.path), `environment ${one.name}`);
      fromEnvironment.push(one);
    }
  };
  apply(listOverrides(env, cwd));
  for (const manifest of manifests) apply(decideChannelEnvironment(value, manifest, env));
  for (const provider of providers) apply(decideProviderEnvironment(value, provider, env));
  const isSecret = createSecretTest(resolved.references, manifests);
  const texts = [...listScalars(value)].filter(([path]) => isSecret(path));
  const secret = fromEnvironment.filter((one) => one.secret || isSecret(one.path));
  return {
    value,
    sources,
    secrets: [
      ...new Set([
        ...texts.map(([, text]) => text.trim()),
        ...secret.map((one) => one.text),
        ...listSecretVariables(env),
      ]),
    ],
    secretPaths: new Set([...texts.map(([path]) => path), ...secret.map((one) => one.path)].map(formatPath)),
    isSecret,
    problems: resolved.problems,
  };
}

/**
 * A secret is what is called so, what its plugin's manifest declares one, and what a plugin's setting takes from a
 * variable, unless the manifest knows the key as harmless: people put secrets into variables.
 */
function createSecretTest(
  references: readonly (readonly [ConfigPath, string])[],
  manifests: readonly ChannelManifest[],
): (path: ConfigPath) => boolean {
  const variables = manifests.flatMap((manifest) =>
    Object.values(manifest.env).map(({ key, secret }) => ({
      pattern: `channels.${manifest.channel}.accounts.*.${key}`,
      secret,
    })),
  );
  const referenced = new Set(references.filter(([path]) => isPluginSetting(path)).map(([path]) => formatPath(path)));
  return (path) => {
    const declared = variables.find(({ pattern }) => matchesPath(path, pattern));
    return isSecretName(path) || (declared?.secret ?? referenced.has(formatPath(path)));
  };
}

/** Paths of an account's own keys begin here: `channels.<id>.accounts.<name>.<key>`. */
const SETTING_STEPS = 5;

function isPluginSetting(path: ConfigPath): boolean {
  if (path[0] === "plugins") return true;
  return (
    path[0] === "channels" && path.length >= SETTING_STEPS && !ACCOUNT_KEYS.includes(String(path[SETTING_STEPS - 1]))
  );
}
