import { resolve } from "node:path";
import type { Config } from "./config.ts";
import type { ConfigPath } from "./problems/config-path.ts";
import { buildProblemsError, type ConfigProblem } from "./problems/config-problem.ts";
import { listSchemaKeys } from "./problems/known-key.ts";
import { listLaterKeys, refuseLaterFeatures } from "./problems/later-feature.ts";
import { listSchemaProblems } from "./problems/schema-problem.ts";
import { findSoundPart } from "./problems/sound-part.ts";
import { BUILT_IN_RUNTIMES, buildAgents } from "./shapes/agent-config.ts";
import { checkAgentIds } from "./shapes/agent-list.ts";
import { buildChannels } from "./shapes/channel-config.ts";
import type { ChannelManifest } from "./shapes/channel-manifest.ts";
import type { CheckedInput } from "./shapes/checked-input.ts";
import { configJsonSchema } from "./shapes/config-json-schema.ts";
import { configSchema } from "./shapes/config-schema.ts";
import { buildPlugins } from "./shapes/plugin-entry.ts";
import { buildProviders, checkModelName } from "./shapes/provider-config.ts";
import { listQueueModels } from "./shapes/queue-config.ts";
import { buildRoutes } from "./shapes/route-config.ts";
import { buildSession } from "./shapes/session-config.ts";
import { composeInput } from "./sources/compose-input.ts";
import type { UnsetVariables } from "./sources/environment-reference.ts";
import type { Environment } from "./sources/environment-value.ts";
import { findUsualModel, type ProviderVariables } from "./sources/provider-environment.ts";
import { findSource, type ValueSources } from "./sources/value-source.ts";

export interface ReadConfigOptions {
  /** What relative folders and plugin names start from. Absolute: the configuration file's folder. */
  readonly folder: string;
  /** The file, for messages and sources. */
  readonly file?: string | undefined;
  /** What `BANYAN_STATE_DIR` is relative to. Default: `folder`. */
  readonly cwd?: string | undefined;
  /** Default: an empty one. */
  readonly env?: Environment | undefined;
  /** What the plugins' package.json files say, the built-in ones' among them. */
  readonly manifests?: readonly ChannelManifest[] | undefined;
  /** Runtimes that the embedding program brings besides the built-in ones. */
  readonly runtimes?: readonly string[] | undefined;
  /** Providers of models that variables alone can give. */
  readonly providers?: readonly ProviderVariables[] | undefined;
  /** What becomes of `env:NAME` where the variable is not set. Default: `refuse`. */
  readonly unset?: UnsetVariables | undefined;
}

/** A configuration and all that is known of how it came about. */
export interface LoadedConfig {
  readonly config: Config;
  /** `undefined`: there is none, everything is default or environment. */
  readonly file: string | undefined;
  readonly folder: string;
  readonly sources: ValueSources;
  /** Every secret value, for the scrubber of the logs. */
  readonly secrets: readonly string[];
  /** The formatted paths of the secrets. */
  readonly secretPaths: ReadonlySet<string>;
  readonly manifests: readonly ChannelManifest[];
}

/** Reads a configuration that is at hand. Throws one `config_invalid` that tells every problem. */
export function parseConfig(input: unknown, options: ReadConfigOptions): Config {
  return readConfig(input, options).config;
}

/**
 * Reads a configuration that is at hand: resolves `env:NAME`, lays the environment over it, refuses what comes later or
 * is unknown, fills in the defaults. Throws one `config_invalid` that tells every problem; no message holds a secret.
 */
export function readConfig(input: unknown, options: ReadConfigOptions): LoadedConfig {
  const manifests = options.manifests ?? [];
  const { folder, file, env = {}, cwd = folder, unset } = options;
  const composed = composeInput(input ?? {}, { env, cwd, manifests, providers: options.providers, unset });
  const later = refuseLaterFeatures(composed.value);
  const checked = configSchema.safeParse(later.rest);
  const schemaProblems = checked.success
    ? []
    : listSchemaProblems(checked.error.issues, {
        input: later.rest,
        isSecret: composed.isSecret,
        listKnownKeys: createKeyList(),
      });
  const sound = checked.success ? checked : configSchema.safeParse(findSoundPart(later.rest, checked.error.issues));
  const built = sound.success ? buildConfig(sound.data, manifests, options) : undefined;
  const problems = [...composed.problems, ...later.problems, ...schemaProblems, ...(built?.problems ?? [])];
  const { sources, secrets, secretPaths } = composed;
  if (checked.success && built !== undefined && problems.length === 0) {
    return { config: built.config, file, folder, sources, secrets, secretPaths, manifests };
  }
  const sourceOf = (path: ConfigPath) => formatForeignSource(path, sources);
  throw buildProblemsError(problems, { title: file ?? "the configuration", secrets, sourceOf });
}

function buildConfig(
  input: CheckedInput,
  manifests: readonly ChannelManifest[],
  options: ReadConfigOptions,
): { readonly config: Config; readonly problems: readonly ConfigProblem[] } {
  const { folder } = options;
  const known = options.providers ?? [];
  const providers = buildProviders(input.providers, known);
  const usualModel = findUsualModel(known, options.env ?? {});
  const runtimes = [...BUILT_IN_RUNTIMES, ...(options.runtimes ?? [])];
  const agents = buildAgents(input.agents, {
    folder,
    runtimes,
    providers: providers.providers,
    knownProviders: known,
    usualModel,
  });
  const routes = buildRoutes(input.routes, agents.agents);
  const session = buildSession(input.session);
  const channels = buildChannels(input.channels, manifests);
  const plugins = buildPlugins(input.plugins);
  const config: Config = {
    stateDir: resolve(folder, input.stateDir),
    server: input.server,
    log: input.log,
    limits: input.limits,
    prices: input.prices,
    agents: agents.agents,
    defaultAgent: agents.defaultAgent,
    routes: routes.routes,
    session: session.session,
    queue: input.queue,
    threads: input.threads,
    channels: channels.channels,
    plugins: plugins.plugins,
    tools: input.tools,
    providers: providers.providers,
    ...(usualModel !== undefined && { usualModel }),
    store: input.store,
  };
  const problems = [providers, agents, routes, session, channels, plugins].flatMap((part) => part.problems);
  const places = { providers: providers.providers, knownProviders: known };
  const models = listQueueModels(input.queue).flatMap(({ path, model }) => checkModelName(path, model, places));
  const { allow } = input.tools.agentToAgent;
  const partners = checkAgentIds(allow, ["tools", "agentToAgent", "allow"], Object.keys(agents.agents));
  return { config, problems: [...problems, ...models, ...partners] };
}

/** The JSON Schema is made when the first unknown key asks for it, which a start without a mistake never does. */
function createKeyList(): (path: ConfigPath) => readonly string[] {
  let schema: unknown;
  return (path) => {
    schema ??= configJsonSchema();
    return [...listSchemaKeys(schema, path), ...listLaterKeys(path)].filter((key) => !key.startsWith("$"));
  };
}

function formatForeignSource(path: ConfigPath, sources: ValueSources): string | undefined {
  const [kind, name] = findSource(sources, path).split(" ");
  return kind === "environment" && name !== undefined ? `from ${name}` : undefined;
}
