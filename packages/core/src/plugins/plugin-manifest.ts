import { existsSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { ChannelManifest } from "../config/shapes/channel-manifest.ts";
import { BanyanError } from "../ports/errors.ts";
import { isChannelId } from "../sessions/keys/channel-id.ts";

const PACKAGE_PREFIX = "banyan-channel-";
const TOOL_PREFIX = "banyan-tool-";
/** An id's form is a line, not a program. */
const PATTERN_LIMIT_CHARS = 200;

/** Loose: a manifest made for a later version may say more. */
const variable = z.looseObject({
  key: z.string().min(1),
  switchesOn: z.boolean().default(false),
  secret: z.boolean().default(false),
  list: z.boolean().default(false),
});

const idForm = z.string().max(PATTERN_LIMIT_CHARS).refine(isPattern, "not a regular expression").optional();

const manifest = z.looseObject({
  channel: z.string().refine(isChannelId, "not a channel id"),
  env: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/, "not a variable's name"), variable).default({}),
  senderId: idForm,
  chatId: idForm,
  guildId: idForm,
});

/** Whether a plugin is named by a file of the configuration's folder, not by a package. */
export function isPluginFile(name: string): boolean {
  return name.startsWith("./") || name.startsWith("../") || isAbsolute(name);
}

/** The package that a plugin's name means: `irc` is `banyan-channel-irc`; a scoped name and `banyan-tool-…` stand for themselves. */
export function formatPluginPackage(name: string): string {
  const isWhole = ["@", PACKAGE_PREFIX, TOOL_PREFIX].some((prefix) => name.startsWith(prefix));
  return isWhole ? name : `${PACKAGE_PREFIX}${name}`;
}

/** Finds a plugin's package.json as seen from the file `from`; `undefined` when the plugin is not installed. */
export function findPluginPackageJson(name: string, from: string): string | undefined {
  const file = isPluginFile(name) ? findUpwards(resolve(dirname(from), name)) : findInstalled(name, from);
  return file !== undefined && basename(file) === "package.json" && existsSync(file) ? file : undefined;
}

/**
 * Reads what the package.json files of plugins say under `banyan`, importing none of them. A plugin without a manifest
 * and one that is not installed are left out; of two for one channel the first counts.
 * Throws `plugin_invalid` for a malformed manifest.
 */
export function readPluginManifests(names: readonly string[], from: string): readonly ChannelManifest[] {
  const byChannel = new Map<string, ChannelManifest>();
  for (const name of names) {
    const file = findPluginPackageJson(name, from);
    const found = file === undefined ? undefined : parsePluginManifest(readJson(file), name);
    if (found !== undefined && !byChannel.has(found.channel)) byChannel.set(found.channel, found);
  }
  return [...byChannel.values()];
}

/** Reads the manifest in a package.json; `undefined` when there is none. `name` is the plugin's, for messages. */
export function parsePluginManifest(packageJson: unknown, name: string): ChannelManifest | undefined {
  const outer = z.object({ name: z.string().default(name), banyan: z.unknown() }).safeParse(packageJson);
  if (!outer.success || outer.data.banyan === undefined) return undefined;
  const inner = manifest.safeParse(outer.data.banyan);
  if (!inner.success) {
    const wrong = inner.error.issues.map((issue) => `banyan.${issue.path.join(".")}: ${issue.message}`).join("; ");
    throw new BanyanError(
      "plugin_invalid",
      `reading the manifest of the plugin ${name}: ${wrong}, received something else in its package.json; update the plugin, or tell its author`,
    );
  }
  const { channel, env, senderId, chatId, guildId } = inner.data;
  return {
    package: outer.data.name,
    channel,
    env,
    ...(senderId === undefined ? {} : { senderId: new RegExp(senderId, "u") }),
    ...(chatId === undefined ? {} : { chatId: new RegExp(chatId, "u") }),
    ...(guildId === undefined ? {} : { guildId: new RegExp(guildId, "u") }),
  };
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function findInstalled(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(formatPluginPackage(name), pathToFileURL(from));
  } catch {
    // Not installed, or no name of a package: loading the plugin says which.
    return undefined;
  }
}

function findUpwards(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = resolve(folder, "package.json");
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new BanyanError("plugin_invalid", `reading ${file}: it is no JSON, received something else; correct it`, {
      cause,
    });
  }
}
