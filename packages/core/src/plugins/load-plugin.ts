import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CHANNEL_API_VERSION, type ChannelPlugin, type ToolPlugin } from "@banyan/plugin-sdk";
import { isPlainObject } from "../config/problems/config-path.ts";
import { findImportFailure } from "../config/problems/import-failure.ts";
import { BanyanError } from "../ports/errors.ts";
import { isChannelId } from "../sessions/keys/channel-id.ts";
import { formatReceivedValue } from "../sessions/keys/received-value.ts";
import { parseToolPlugin, saysTools } from "./parse-tool-plugin.ts";
import { findPluginPackageJson, formatPluginPackage, isPluginFile } from "./plugin-manifest.ts";
import { isStandardSchema } from "./standard-schema.ts";

/**
 * Imports a plugin, on first need: `irc` (the package `banyan-channel-irc`), `@scope/…`, or a file. Both are found from
 * the file `from`, the configuration, so that a plugin is installed beside it and not inside Banyan.
 * Throws `plugin_unavailable` when it is not there or does not run, `plugin_invalid` when it breaks the contract.
 */
export async function loadPlugin(name: string, from: string): Promise<ChannelPlugin> {
  return parsePlugin(await importDefault(name, from), name);
}

/** The same for a plugin of the configuration, which may bring tools instead of a channel. */
export async function loadAnyPlugin(name: string, from: string): Promise<ChannelPlugin | ToolPlugin> {
  const plugin = await importDefault(name, from);
  return saysTools(plugin) ? parseToolPlugin(plugin, name) : parsePlugin(plugin, name);
}

async function importDefault(name: string, from: string): Promise<unknown> {
  const file = isPluginFile(name) ? findFile(name, from) : findEntry(name, from);
  return (await importPlugin(name, file, dirname(from))).default;
}

/** Checks a plugin's shape. Throws `plugin_invalid` with the first member that breaks the contract. */
export function parsePlugin(plugin: unknown, name: string): ChannelPlugin {
  if (isChannelPlugin(plugin)) return plugin;
  const { wrong, received, cure } = findPluginFault(plugin) ?? { wrong: "unknown", received: "it", cure: "update it" };
  throw new BanyanError("plugin_invalid", `loading the plugin ${name}: ${wrong}, received ${received}; ${cure}`);
}

interface PluginFault {
  readonly wrong: string;
  readonly received: string;
  readonly cure: string;
}

function isChannelPlugin(value: unknown): value is ChannelPlugin {
  return findPluginFault(value) === undefined;
}

const AUTHOR = "update the plugin, or tell its author: write export default defineChannelPlugin({ … })";

/** Finds the first member that is not as the contract wants it. */
function findPluginFault(plugin: unknown): PluginFault | undefined {
  if (!isPlainObject(plugin)) return fault("its default export is no plugin", plugin);
  const { id, apiVersion, capabilities, config, connect } = plugin;
  if (apiVersion !== CHANNEL_API_VERSION) {
    const cure = `install a version of it for ${CHANNEL_API_VERSION}, or another Banyan`;
    return { ...fault(`it is not made for version ${CHANNEL_API_VERSION} of the contract`, apiVersion), cure };
  }
  if (typeof id !== "string" || !isChannelId(id)) return fault("its id is not a channel id", id);
  if (typeof connect !== "function") return fault("connect is not a function", connect);
  if (!isStandardSchema(config)) return fault("config is not a Standard Schema", config);
  return findCapabilityFault(capabilities);
}

const CHAT_KINDS: readonly unknown[] = ["dm", "group", "channel"];
const DELIVERY_POLICIES: readonly unknown[] = ["effectively-once", "at-least-once", "at-most-once"];

function findCapabilityFault(capabilities: unknown): PluginFault | undefined {
  if (!isPlainObject(capabilities)) return fault("capabilities is not an object", capabilities);
  const { kinds, text, threads, edits, delivery } = capabilities;
  const areKinds = Array.isArray(kinds) && kinds.length > 0 && kinds.every((kind) => CHAT_KINDS.includes(kind));
  if (!areKinds) return fault("capabilities.kinds is not a list of dm, group and channel", kinds);
  if (!isPlainObject(text)) return fault("capabilities.text is not an object", text);
  const isLimit = typeof text.limit === "number" && text.limit > 0;
  if (!isLimit) return fault("capabilities.text.limit is not a number above 0", text.limit);
  if (typeof text.measure !== "function") return fault("capabilities.text.measure is not a function", text.measure);
  if (typeof threads !== "boolean") return fault("capabilities.threads is not true or false", threads);
  if (typeof edits !== "boolean") return fault("capabilities.edits is not true or false", edits);
  if (DELIVERY_POLICIES.includes(delivery)) return undefined;
  return fault(`capabilities.delivery is none of ${DELIVERY_POLICIES.join(", ")}`, delivery);
}

function fault(wrong: string, received: unknown): PluginFault {
  const kind = typeof received === "function" ? "a function" : formatReceivedValue(received);
  return { wrong, received: kind, cure: AUTHOR };
}

function findFile(name: string, from: string): string {
  const file = resolve(dirname(from), name);
  if (existsSync(file)) return file;
  throw unavailable(name, `there is no file ${file}`, "nothing", `correct the path, which starts at ${dirname(from)}`);
}

/** The conditions of an import, in a package.json's `exports`. */
const CONDITIONS: readonly string[] = ["node", "import", "module-sync", "default"];

/** Finds the file that an import from the configuration would get; `require` alone would miss ESM-only packages. */
function findEntry(name: string, from: string): string {
  const packageName = formatPluginPackage(name);
  const packageJson = findPluginPackageJson(name, from);
  const install = `run npm install ${packageName} in ${dirname(from)}`;
  if (packageJson === undefined) {
    throw new BanyanError("plugin_unavailable", `Plugin ${name} is not installed; ${install}`);
  }
  const content: unknown = JSON.parse(readFileSync(packageJson, "utf8"));
  const exported = isPlainObject(content) ? findExport(content.exports) : undefined;
  if (exported !== undefined) return join(dirname(packageJson), exported);
  try {
    return createRequire(from).resolve(packageName);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw unavailable(
      name,
      `${packageName} has no entry`,
      message,
      "install another version, or tell its author",
      cause,
    );
  }
}

function findExport(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (!isPlainObject(target)) return undefined;
  if ("." in target) return findExport(target["."]);
  const matching = Object.entries(target).filter(([condition]) => CONDITIONS.includes(condition));
  return matching.map(([, below]) => findExport(below)).find((found) => found !== undefined);
}

const CORRECT = "correct it, or tell its author";

async function importPlugin(name: string, file: string, folder: string): Promise<{ readonly default?: unknown }> {
  try {
    const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    return loaded;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const { received, cure } = findImportFailure(cause, folder) ?? { received: message, cure: CORRECT };
    throw unavailable(name, "importing it failed", received, cure, cause);
  }
}

function unavailable(name: string, wrong: string, received: string, cure: string, cause?: unknown): BanyanError {
  const message = `loading the plugin ${name}: ${wrong}, received ${received}; ${cure}`;
  return new BanyanError("plugin_unavailable", message, { cause });
}
