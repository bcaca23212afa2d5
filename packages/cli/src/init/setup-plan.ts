import { type ChannelManifest, listSwitches } from "@banyan/core";
import type { ModelSetup } from "./model-setup.ts";

/** What answers for an agent without a model. */
const BUILT_IN_RUNTIME = "demo";

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

type Section = Readonly<Record<string, unknown>>;

/**
 * Builds the configuration to write: the file's own content with the keys of the plan changed. Everything else stays,
 * also the agents if the plan has no model. Tokens are in the environment, never in it. Pure.
 */
export function buildSetupConfig(plan: SetupPlan, schemaFile: string, before: Section = {}): Section {
  return {
    ...(Object.hasOwn(before, "$schema") ? {} : { $schema: schemaFile }),
    ...before,
    $schema: schemaFile,
    ...changeModel(plan.model, before),
    ...changeChannels(plan.channels, before),
  };
}

function changeChannels(plan: SetupPlan["channels"], { channels }: Section): Section {
  if (plan.length === 0) return {};
  const changed = { ...readSection(channels) };
  for (const setup of plan) {
    const channel = readSection(changed[setup.channel]);
    const accounts = readSection(channel.accounts);
    changed[setup.channel] = {
      ...channel,
      accounts: { ...accounts, default: changeAccount(setup, readSection(accounts.default)) },
    };
  }
  return { channels: changed };
}

/** Other people keep their access. */
function changeAccount({ key, variable, owner }: ChannelSetup, before: Section): Section {
  const allowed: readonly unknown[] = Array.isArray(before.allowFrom) ? before.allowFrom : [];
  const isIn = owner === undefined || allowed.some((id) => String(id).trim() === owner);
  return { ...before, [key]: `env:${variable}`, ...(isIn ? {} : { allowFrom: [...allowed, owner] }) };
}

function changeModel(model: SetupPlan["model"], before: Section): Section {
  if (model === undefined)
    return Object.hasOwn(before, "agents")
      ? {}
      : { agents: { main: { runtime: BUILT_IN_RUNTIME, workspace: SETUP_WORKSPACE } } };
  const providers = readSection(before.providers);
  // One that is left over would send a key to another server.
  const { apiKey: _key, baseUrl: _url, ...provider } = readSection(providers[model.provider]);
  const values = model.variables.map(({ variable, key }) => [key, `env:${variable}`]);
  const agents = readSection(before.agents);
  const { runtime, ...main } = readSection(agents.main);
  return {
    providers: { ...providers, [model.provider]: { ...provider, ...Object.fromEntries(values) } },
    agents: {
      ...agents,
      main: {
        ...(Object.hasOwn(agents, "main") ? {} : { workspace: SETUP_WORKSPACE }),
        ...(runtime === undefined || runtime === BUILT_IN_RUNTIME ? {} : { runtime }),
        ...main,
        model: model.model,
      },
    },
  };
}

function readSection(value: unknown): Section {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
