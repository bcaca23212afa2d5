import { type ChannelManifest, listSwitches } from "@banyan/core";
import type { ModelSetup } from "./model-setup.ts";

/** What `banyan init` is about to write: the channels that were asked for, in order. */
export interface SetupPlan {
  readonly channels: readonly ChannelSetup[];
  /** Absent: `main` is the built-in program. */
  readonly model?: ModelSetup | undefined;
}

export interface ChannelSetup {
  readonly channel: string;
  /** The variable that the configuration takes the token from, and the account's key that it gives. */
  readonly variable: string;
  readonly key: string;
  readonly token: string;
  /** The variable was set where init ran, so it is not written down once more. */
  readonly isFromEnvironment: boolean;
  /** The owner's stable id; absent: whoever is let in by a code. */
  readonly owner?: string;
}

/** The agent's folder, beside the configuration: separate from tokens, state and code, so that programs may run there. */
export const SETUP_WORKSPACE = "./workspace";

/** The variable that holds a channel's token; `undefined` for a channel that needs none. */
export function findTokenVariable(manifest: ChannelManifest): { variable: string; key: string } | undefined {
  const [variable] = listSwitches(manifest).filter((name) => manifest.env[name]?.secret);
  const key = variable === undefined ? undefined : manifest.env[variable]?.key;
  return variable === undefined || key === undefined ? undefined : { variable, key };
}

/** The configuration as it is written; a token stands in the environment, never in it. */
export function buildSetupConfig(plan: SetupPlan, schemaFile: string): object {
  const channels = plan.channels.map(({ channel, variable, key, owner }) => [
    channel,
    { accounts: { default: { [key]: `env:${variable}`, ...(owner === undefined ? {} : { allowFrom: [owner] }) } } },
  ]);
  return {
    $schema: schemaFile,
    ...buildModelConfig(plan.model),
    ...(channels.length === 0 ? {} : { channels: Object.fromEntries(channels) }),
  };
}

/** The key stands in the environment, as a token does. */
function buildModelConfig(model: ModelSetup | undefined): object {
  if (model === undefined) return { agents: { main: { runtime: "demo", workspace: SETUP_WORKSPACE } } };
  const values = model.variables.map(({ variable, key }) => [key, `env:${variable}`]);
  return {
    providers: { [model.provider]: Object.fromEntries(values) },
    agents: { main: { model: model.model, workspace: SETUP_WORKSPACE } },
  };
}
