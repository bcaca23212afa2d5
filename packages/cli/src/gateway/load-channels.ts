import {
  type AccessPolicy,
  type AccountConfig,
  BanyanError,
  buildAccount,
  type Config,
  checkToolNames,
  findDeliveryProblem,
  findNearestWord,
  type GatewayAccount,
  type GatewayChannel,
  type LoadedConfig,
  type LoadedToolPlugin,
  loadAnyPlugin,
  loadPlugin,
  parseAccountConfig,
  parseToolPluginConfig,
} from "@banyan/core";
import type { ChannelPlugin, ToolPlugin } from "@banyan/plugin-sdk";
import { BUILT_IN_CHANNELS, findBuiltInChannel, OWN_FILE } from "./built-in.ts";

const HOUR_MS = 3_600_000;
const DEFAULT_ACCOUNT = "default";

/** A channel that is not on, and what would switch it on. */
export interface IdleChannel {
  readonly channel: string;
  readonly hint: string;
}

export interface LoadedChannels {
  readonly channels: readonly GatewayChannel[];
  readonly idle: readonly IdleChannel[];
  readonly toolPlugins: readonly LoadedToolPlugin[];
}

/**
 * Imports the plugins of the channels that are on, and no others; judges each account by its plugin's schema.
 * Throws `plugin_unavailable`, `plugin_invalid` and `config_invalid`.
 */
export async function loadChannels(loaded: LoadedConfig): Promise<LoadedChannels> {
  const { config, manifests } = loaded;
  const from = loaded.file ?? `${loaded.folder}/banyan.config.json`;
  const channels: GatewayChannel[] = [];
  const idle: IdleChannel[] = [];
  const toolPlugins: LoadedToolPlugin[] = [];
  const named = new Map(config.plugins.map((entry) => [findBuiltInChannel(entry.package)?.channel, entry.config]));
  for (const { package: name, channel, isAlwaysOn } of BUILT_IN_CHANNELS) {
    const isOn = isAlwaysOn || config.channels[channel] !== undefined || named.has(channel);
    if (isOn) channels.push(await openChannel(await loadPlugin(name, OWN_FILE), loaded, named.get(channel) ?? {}));
    else idle.push({ channel, hint: `set ${listSwitches(manifests, channel)} to switch it on` });
  }
  for (const entry of config.plugins) {
    if (findBuiltInChannel(entry.package) !== undefined) continue;
    const plugin = await loadAnyPlugin(entry.package, from);
    if (isToolPlugin(plugin)) {
      toolPlugins.push({ plugin, config: await parseToolPluginConfig(plugin, entry.config, entry.package) });
      continue;
    }
    if (channels.some((open) => open.plugin.id === plugin.id)) throw takenError(entry.package, plugin.id);
    channels.push(await openChannel(plugin, loaded, entry.config));
  }
  checkAllServed(config, channels, idle);
  checkToolNames(
    config.agents,
    toolPlugins.flatMap(({ plugin }) => plugin.tools.map(({ name }) => name)),
  );
  return { channels, idle, toolPlugins };
}

function isToolPlugin(plugin: ChannelPlugin | ToolPlugin): plugin is ToolPlugin {
  return "kind" in plugin;
}

async function openChannel(
  plugin: ChannelPlugin,
  { config, manifests }: LoadedConfig,
  settings: Readonly<Record<string, unknown>>,
): Promise<GatewayChannel> {
  const written = config.channels[plugin.id]?.accounts ?? { [DEFAULT_ACCOUNT]: buildAccount({}) };
  const manifest = manifests.find(({ channel }) => channel === plugin.id);
  const accounts: GatewayAccount[] = [];
  for (const [name, account] of Object.entries(written)) {
    if (!account.enabled) continue;
    const whole = { ...account, settings: { ...settings, ...account.settings } };
    const own = await parseAccountConfig(plugin, whole, { channel: plugin.id, account: name, manifest });
    checkDelivery(plugin, name, account);
    const access = buildAccess(plugin, account, manifest?.env ?? {});
    accounts.push({
      name,
      config: own,
      access,
      ...(account.threads === undefined ? {} : { threads: account.threads }),
      ...(account.delivery === undefined ? {} : { delivery: account.delivery }),
    });
  }
  return { plugin, accounts };
}

function checkDelivery({ id, capabilities }: ChannelPlugin, name: string, { delivery }: AccountConfig): void {
  const problem = findDeliveryProblem(capabilities, delivery);
  if (problem === undefined) return;
  const path = `channels.${id}.accounts.${name}.delivery`;
  throw new BanyanError("config_invalid", `reading the configuration: ${path}: received ${delivery}, but ${problem}`);
}

function buildAccess(
  plugin: ChannelPlugin,
  account: AccountConfig,
  env: Readonly<Record<string, { readonly key: string }>>,
): AccessPolicy {
  const variable = Object.entries(env).find(([, { key }]) => key === "allowFrom")?.[0];
  return {
    dmPolicy: account.dmPolicy,
    allowFrom: new Set(account.allowFrom),
    groups: { ...account.groups, allow: new Set(account.groups.allow), guilds: new Set(account.groups.guilds) },
    catchUpMs: account.catchUpHours * HOUR_MS,
    isOperatorOnly: plugin.capabilities.isOperatorOnly ?? false,
    ...(variable === undefined ? {} : { allowFromVariable: variable }),
  };
}

function listSwitches(manifests: LoadedConfig["manifests"], channel: string): string {
  const env = manifests.find((manifest) => manifest.channel === channel)?.env ?? {};
  const names = Object.entries(env).flatMap(([name, { switchesOn }]) => (switchesOn ? [name] : []));
  return names.join(" or ") || `channels.${channel}`;
}

function takenError(name: string, channel: string): BanyanError {
  return new BanyanError(
    "plugin_invalid",
    `loading the plugin ${name}: another plugin serves the channel, received ${channel}; remove one of them`,
  );
}

/** A channel in the configuration that no plugin serves would swallow its settings in silence. */
function checkAllServed(config: Config, channels: readonly GatewayChannel[], idle: readonly IdleChannel[]): void {
  const known = [...channels.map(({ plugin }) => plugin.id), ...idle.map(({ channel }) => channel)];
  const [orphan] = Object.keys(config.channels).filter((channel) => !known.includes(channel));
  if (orphan === undefined) return;
  throw new BanyanError(
    "config_invalid",
    `reading the configuration: channels.${orphan}: no plugin serves this channel, received only ${known.join(", ")}; ${formatCure(orphan, known)}`,
  );
}

function formatCure(orphan: string, known: readonly string[]): string {
  const meant = findNearestWord(orphan, known);
  return meant === undefined ? `add its plugin to plugins, such as plugins: ["${orphan}"]` : `did you mean ${meant}?`;
}
