import { dirname, join } from "node:path";
import { type LoadedConfig, readConfig } from "./read-config.ts";
import type { ChannelManifest } from "./shapes/channel-manifest.ts";
import { listPluginNames } from "./shapes/plugin-entry.ts";
import { CONFIG_FILE_NAMES, findConfigFile, readConfigFile } from "./sources/config-file.ts";
import type { UnsetVariables } from "./sources/environment-reference.ts";
import type { Environment } from "./sources/environment-value.ts";
import type { ProviderVariables } from "./sources/provider-environment.ts";

export interface LoadConfigOptions {
  /** What `--config` names, relative to `cwd`; it must be there. */
  readonly file?: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /**
   * Reads what the package.json files of plugins say; called once. `names` are the plugins of the configuration, to be
   * found from the file `from` (which need not exist); the caller adds the built-in ones. A plugin without a manifest
   * or one that is not installed is left out: loading it will tell.
   */
  readonly readManifests?: (
    names: readonly string[],
    from: string,
  ) => readonly ChannelManifest[] | Promise<readonly ChannelManifest[]>;
  /** What becomes of `env:NAME` where the variable is not set. Default: `refuse`. */
  readonly unset?: UnsetVariables | undefined;
  /** Changes what the file says before it is judged. */
  readonly amend?: ((input: unknown) => unknown) | undefined;
  /** Runtimes that the embedding program brings besides the built-in ones. */
  readonly runtimes?: readonly string[] | undefined;
  /** Providers of models that variables alone can give. */
  readonly providers?: readonly ProviderVariables[] | undefined;
}

/**
 * Finds, reads and judges the configuration of a gateway; without a file it is what the environment and the defaults
 * say. Throws `config_unreadable` and `config_invalid`.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { cwd, env, runtimes, providers, unset } = options;
  const file = findConfigFile(options.file, cwd);
  const written = file === undefined ? {} : await readConfigFile(file);
  const input = options.amend === undefined ? written : options.amend(written);
  const from = file ?? join(cwd, CONFIG_FILE_NAMES[0] ?? "");
  const manifests = (await options.readManifests?.(listPluginNames(input), from)) ?? [];
  return readConfig(input, { file, folder: dirname(from), cwd, env, manifests, runtimes, providers, unset });
}
