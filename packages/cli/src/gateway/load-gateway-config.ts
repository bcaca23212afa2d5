import { statSync } from "node:fs";
import { BanyanError, type Config, type LoadedConfig, loadConfig, readPluginManifests } from "@banyan/core";
import { BUILT_IN_CHANNELS, findBuiltInChannel, OWN_FILE } from "./built-in.ts";
import { KNOWN_PROVIDERS } from "./known-providers.ts";

export interface GatewayConfigOptions {
  /** What `--config` names. */
  readonly configFile?: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ids of further runtimes that an embedding program brings. */
  readonly runtimes?: readonly string[];
  /** Changes what the file says before it is judged. */
  readonly amend?: ((input: unknown) => unknown) | undefined;
  /** Takes the file as it stands where a variable that it names is not set here. */
  readonly isForLooking?: boolean;
}

/** Reads the configuration with what the plugins say of themselves; imports none of them. Throws as `loadConfig`. */
export async function loadGatewayConfig(options: GatewayConfigOptions): Promise<LoadedConfig> {
  const builtIn = BUILT_IN_CHANNELS.map((channel) => channel.package);
  const loaded = await loadConfig({
    file: options.configFile,
    cwd: options.cwd,
    env: options.env,
    runtimes: options.runtimes,
    providers: KNOWN_PROVIDERS,
    amend: options.amend,
    unset: options.isForLooking ? "leave_out" : "refuse",
    readManifests: (names, from) => [
      ...readPluginManifests(builtIn, OWN_FILE),
      ...readPluginManifests(
        names.filter((name) => findBuiltInChannel(name) === undefined),
        from,
      ),
    ],
  });
  checkWorkspaces(loaded.config);
  return loaded;
}

/** An agent whose folder is missing would find out at its first tool call, in front of a person. */
function checkWorkspaces(config: Config): void {
  for (const [id, { workspace }] of Object.entries(config.agents)) {
    if (statSync(workspace, { throwIfNoEntry: false })?.isDirectory()) continue;
    throw new BanyanError(
      "config_invalid",
      `reading the configuration: agents.${id}.workspace: there is no such folder, received ${workspace}; make it, or name another`,
    );
  }
}

/** The configuration as a command of the terminal finds it: here, with this environment. */
export function loadConfigHere(configFile: string | undefined): Promise<LoadedConfig> {
  return loadGatewayConfig({ configFile, cwd: process.cwd(), env: process.env });
}

/**
 * The same for a command that looks at what a gateway has stored, or asks the one that runs: the tokens that the file
 * takes from the environment need not be there.
 */
export function loadStateConfig(configFile: string | undefined): Promise<LoadedConfig> {
  return loadGatewayConfig({ configFile, cwd: process.cwd(), env: process.env, isForLooking: true });
}
