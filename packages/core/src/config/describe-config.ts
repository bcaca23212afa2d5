import type { AccountConfig, Config } from "./config.ts";
import { type ConfigPath, formatPath, isPlainObject } from "./problems/config-path.ts";
import type { LoadedConfig } from "./read-config.ts";
import { AGENT_DEFAULTS_KEY } from "./shapes/agent-config.ts";
import { isSecretName } from "./sources/secret-path.ts";
import { findSource, type ValueSource } from "./sources/value-source.ts";

/** Stands where a secret is. */
const MASKED_VALUE = "(secret)";

/** One effective value, as `banyan doctor` prints it. */
export interface DescribedValue {
  readonly path: string;
  /** As JSON; `(secret)` for a secret. */
  readonly value: string;
  readonly source: ValueSource;
}

/** Lists every effective value with its source, in the order of the configuration, without a secret. */
export function describeConfig(loaded: LoadedConfig): readonly DescribedValue[] {
  return listLeaves(buildShown(loaded.config), []).map(([path, value]) => ({
    path: formatPath(path),
    value: isMasked(loaded, path) ? MASKED_VALUE : formatLeaf(value),
    source: findShownSource(loaded, path),
  }));
}

/** The configuration in the shape in which it is written. */
function buildShown(config: Config): unknown {
  const { defaultAgent, agents, channels, ...rest } = config;
  const shownAgents = Object.entries(agents).map(([id, agent]) => [id, { ...agent, default: id === defaultAgent }]);
  const shownChannels = Object.entries(channels).map(([id, { accounts }]) => {
    const shown = Object.entries(accounts).map(([name, account]) => [name, buildShownAccount(account)] as const);
    return [id, { accounts: Object.fromEntries(shown) }];
  });
  return { ...rest, agents: Object.fromEntries(shownAgents), channels: Object.fromEntries(shownChannels) };
}

function buildShownAccount(account: AccountConfig): unknown {
  const { settings, ...own } = account;
  return { ...own, ...settings };
}

/** A list of plain values is shown as one value, a list of objects piece by piece. */
function listLeaves(value: unknown, path: ConfigPath): readonly (readonly [ConfigPath, unknown])[] {
  if (Array.isArray(value) && value.some((item) => typeof item === "object")) {
    return value.flatMap((item, at) => listLeaves(item, [...path, at]));
  }
  if (!isPlainObject(value)) return value === undefined ? [] : [[path, value]];
  return Object.entries(value).flatMap(([key, item]) => listLeaves(item, [...path, key]));
}

function isMasked(loaded: LoadedConfig, path: ConfigPath): boolean {
  const shown = formatPath(path);
  const isInside = [...loaded.secretPaths].some((secret) => secret === shown || secret.startsWith(`${shown}[`));
  return isInside || isSecretName(path);
}

function formatLeaf(value: unknown): string {
  const text: unknown = typeof value === "function" ? undefined : JSON.stringify(value);
  return typeof text === "string" ? text : `a ${typeof value}`;
}

/** What an agent does not say itself comes from the defaults of all agents. */
function findShownSource(loaded: LoadedConfig, path: ConfigPath): ValueSource {
  const [section, id, ...below] = path;
  const source = findSource(loaded.sources, path);
  if (section !== "agents" || id === undefined || source !== "default") return source;
  return findSource(loaded.sources, [section, AGENT_DEFAULTS_KEY, ...below]);
}
