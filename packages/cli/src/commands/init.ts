import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { BanyanError, type ChannelManifest, formatReceived, readConfigFile, readPluginManifests } from "@banyan/core";
import { BUILT_IN_CHANNELS, OWN_FILE } from "../gateway/built-in.ts";
import type { GlobalOptions } from "../global-options.ts";
import { askModel } from "../init/ask-model.ts";
import { type AskOptions, askChannels, formatTitle } from "../init/ask-setup.ts";
import { formatInspection, inspectToken } from "../init/inspect-token.ts";
import { buildModelSetup, findModelInEnvironment, listChoices, type ModelSetup } from "../init/model-setup.ts";
import { type WrittenSetup, writeSetup } from "../init/setup-files.ts";
import { type ChannelSetup, findTokenVariable, SETUP_WORKSPACE, type SetupPlan } from "../init/setup-plan.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";
import { UsageError } from "../usage-error.ts";

/** `--<channel>-token` and `--<channel>-owner` stand in it by their camel-cased names. */
export interface InitOptions extends GlobalOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly check: boolean;
  readonly json?: boolean;
  readonly [flag: string]: unknown;
}

const DEFAULT_FILE = "banyan.config.json";

/**
 * `banyan init`: writes a configuration. It asks on a terminal; with flags, `--yes` or elsewhere it takes what it is
 * given. A token is checked at its platform before anything is written.
 */
export async function init(options: InitOptions): Promise<void> {
  const file = resolve(options.config ?? DEFAULT_FILE);
  const folder = dirname(file);
  refuseExisting(file, folder, options);
  const before = existsSync(file) ? await readBefore(file) : undefined;
  const manifests = readPluginManifests(
    BUILT_IN_CHANNELS.map((channel) => channel.package),
    OWN_FILE,
  );
  const isAsking = !options.yes && listFlags(options).length === 0;
  if (isAsking && !(process.stdin.isTTY && process.stdout.isTTY)) {
    throw new UsageError(
      "setting up: there is no terminal to ask on; give --telegram-token, --discord-token, --model-key or several, or --yes for the web chat alone",
    );
  }
  const env = process.env;
  const plan = isAsking
    ? await askPlan({ manifests, env, isChecked: options.check, isChange: before !== undefined })
    : { channels: await buildChannels(manifests, options), model: await buildModel(options) };
  const stateDir = resolve(folder, env.BANYAN_STATE_DIR ?? ".banyan");
  const written = writeSetup(plan, { configFile: file, before, folder, stateDir });
  const name = (path: string): string => relative(process.cwd(), path) || path;
  const files = written.files.map(name);
  const copy = written.copy && name(written.copy);
  if (options.json)
    return writeJson({
      files,
      ...(copy === undefined ? {} : { copy }),
      channels: plan.channels.map(({ channel, owner }) => ({ channel, owner })),
      ...(plan.model === undefined ? {} : { model: plan.model.model }),
    });
  const workspace = before === undefined ? relative(process.cwd(), resolve(folder, SETUP_WORKSPACE)) : undefined;
  await writeLines(formatEnd(plan, { files, copy }, workspace));
}

/** What cannot be read cannot be changed in place. Throws `config_unreadable`. */
async function readBefore(file: string): Promise<Readonly<Record<string, unknown>>> {
  const before = await readConfigFile(file);
  if (typeof before === "object" && before !== null && !Array.isArray(before)) return { ...before };
  const received = Array.isArray(before) ? "a list" : formatReceived(before);
  throw new BanyanError(
    "config_unreadable",
    `setting up: ${file} is not a configuration (got ${received}); correct it, or move it away`,
  );
}

function refuseExisting(file: string, folder: string, { force }: InitOptions): void {
  if (!file.endsWith(".json")) {
    throw new UsageError(`setting up: init writes a .json file (got ${file}); name one with --config`);
  }
  const found = [file, resolve(folder, "banyan.config.ts")].find((name) => existsSync(name));
  if (found === undefined || (force && found === file)) return;
  const cure =
    found === file ? "--force changes it, and keeps the other keys and a copy" : "change it by hand, or move it away";
  throw new UsageError(`setting up: ${found} exists; ${cure}`);
}

function listFlags(options: InitOptions): readonly string[] {
  return Object.keys(options).filter((name) => /(Token|Owner)$|^model/.test(name) && options[name] !== undefined);
}

/** What the flags and the environment say. Throws the plugin's sentence for a token that is refused. */
async function buildChannels(
  manifests: readonly ChannelManifest[],
  options: InitOptions,
): Promise<readonly ChannelSetup[]> {
  const channels: ChannelSetup[] = [];
  for (const manifest of manifests) {
    const found = findTokenVariable(manifest);
    if (found === undefined) continue;
    const { channel } = manifest;
    const [flag, owner] = [options[`${channel}Token`], options[`${channel}Owner`]];
    const token = typeof flag === "string" ? flag.trim() : (process.env[found.variable] ?? "");
    if (token === "") {
      if (owner === undefined) continue;
      throw new UsageError(`setting up: --${channel}-owner needs --${channel}-token, or ${found.variable}`);
    }
    // It may be a token that stands behind the wrong flag.
    if (typeof owner === "string" && manifest.senderId?.test(owner.trim()) === false) {
      throw new UsageError(
        `setting up: --${channel}-owner takes the platform's id (got ${formatReceived(owner)}); omit it, write to the bot, and banyan pair approve CODE lets you in`,
      );
    }
    if (options.check) await tellChecked(manifest, found, token, options);
    const setup = { channel, ...found, token, isFromEnvironment: typeof flag !== "string" };
    channels.push(typeof owner === "string" ? { ...setup, owner: owner.trim() } : setup);
  }
  return channels;
}

async function askPlan(options: AskOptions): Promise<SetupPlan> {
  const channels = await askChannels(options);
  return { channels, model: await askModel(options) };
}

/** What the flags say, else what the environment has; `undefined`: neither says anything. */
async function buildModel({ modelKey, modelUrl, model: name, check }: InitOptions): Promise<ModelSetup | undefined> {
  const [key, url] = [modelKey, modelUrl].map((flag) => (typeof flag === "string" ? flag.trim() : undefined));
  const isGiven = key !== undefined || url !== undefined;
  const provider = isGiven ? buildModelSetup({ key, url }) : findModelInEnvironment(process.env);
  if (provider === undefined) {
    if (name === undefined) return undefined;
    throw new UsageError("setting up: --model needs --model-key or --model-url, or a variable such as OPENAI_API_KEY");
  }
  const [usual] = await listCheckedChoices(provider, check);
  const chosen = typeof name === "string" ? name.trim() : usual;
  if (chosen === undefined) throw new UsageError("setting up: no model is known of that server; name one with --model");
  return { ...provider, model: `${provider.provider}/${chosen}` };
}

async function listCheckedChoices(provider: Omit<ModelSetup, "model">, isChecked: boolean): Promise<readonly string[]> {
  try {
    return await listChoices(provider, isChecked);
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    throw new BanyanError("account_unchecked", `setting up: ${wrong}; --no-check writes the configuration unasked`, {
      cause: error,
    });
  }
}

async function tellChecked(
  manifest: ChannelManifest,
  { key, variable }: { readonly key: string; readonly variable: string },
  token: string,
  options: InitOptions,
): Promise<void> {
  try {
    const inspection = await inspectToken(manifest, key, token, process.env);
    if (inspection === undefined || options.json) return;
    await writeLines(formatInspection(inspection).map((line) => `  ${formatTitle(manifest.channel)}: ${line}`));
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    const given = typeof options[`${manifest.channel}Token`] === "string" ? `--${manifest.channel}-token` : variable;
    throw new BanyanError(
      "account_unchecked",
      `setting up: ${given} was not taken: ${wrong}; --no-check writes the configuration unasked`,
      { cause: error },
    );
  }
}

function formatEnd(
  { channels }: SetupPlan,
  { files, copy }: WrittenSetup,
  workspace: string | undefined,
): readonly string[] {
  const unowned = channels.filter(({ owner }) => owner === undefined);
  return [
    `  Written: ${files.join(", ")}`,
    ...(copy === undefined ? [] : [`  The old configuration is kept as ${copy}`]),
    ...(workspace === undefined ? [] : [`  The agent works in ${workspace}`]),
    "  Next: banyan start",
    ...unowned.map(
      ({ channel }) =>
        `  Then write to the bot on ${formatTitle(channel)}: it answers with a code, and banyan pair approve CODE lets you in`,
    ),
  ];
}
