import {
  appendFileSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parseEnv } from "node:util";
import { configJsonSchema, ENVIRONMENT_FILE } from "@banyan/core";
import { UsageError } from "../usage-error.ts";
import { buildSetupConfig, SETUP_WORKSPACE, type SetupPlan } from "./setup-plan.ts";

const SCHEMA_FILE = "config.schema.json";
/** Copies of one configuration; more are a mistake. */
const MAX_COPIES = 1_000;

/** The content of a new workspace, by path. Three files in docs/, so that the demo agent shows how it splits a count. */
const SAMPLE_FILES: Readonly<Record<string, string>> = {
  "README.md": `# Workspace

This folder belongs to your agent: it reads and writes files here, and nowhere else.
The files in docs/ are samples. Replace them with your own.
`,
  "docs/first-steps.md": `# First steps

Open the web chat with the address that banyan start prints, or write in the terminal with banyan chat.

- count words in docs: three sub-agents count the words of these files.
- calc 2 * (3 + 4): the answer comes at once.
- help: everything that the demo agent knows.
`,
  "docs/sub-agents.md": `# Sub-agents

A sub-agent works on one task in its own session. Its result comes back to the chat, also after a restart.

/agents lists those at work, /tree shows who started whom, and /kill stops one.
`,
  "docs/next.md": `# Next

Run banyan init --force to add a Telegram bot, a Discord bot or a language model.
Run banyan doctor to check the setup, and banyan status to see what is running.
`,
};

export interface SetupPlaces {
  readonly configFile: string;
  /** The configuration's content, if the file exists. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly folder: string;
  readonly stateDir: string;
}

export interface WrittenSetup {
  readonly files: readonly string[];
  /** The copy of the old configuration. */
  readonly copy: string | undefined;
}

/**
 * Writes the planned files and returns their names. A new configuration gets the agent's workspace, an existing one is
 * copied first. The tokens go into a separate file that only its owner can read.
 */
export function writeSetup(plan: SetupPlan, { configFile, before, folder, stateDir }: SetupPlaces): WrittenSetup {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const samples = before === undefined ? makeWorkspace(join(folder, SETUP_WORKSPACE)) : [];
  const schemaFile = join(stateDir, SCHEMA_FILE);
  writeFileSync(schemaFile, `${JSON.stringify(configJsonSchema(), null, 2)}\n`, { mode: 0o600 });
  const config = buildSetupConfig(plan, `./${relative(folder, schemaFile)}`, before);
  const copy = before === undefined ? undefined : copyConfig(configFile);
  writeFileSync(configFile, `${JSON.stringify(config, null, 2)}\n`);
  const files = [
    configFile,
    ...writeTokens(plan, join(folder, ENVIRONMENT_FILE)),
    ...ignoreInGit(folder, stateDir, copy),
    ...samples,
  ];
  return { files, copy };
}

/** Never overwrites an earlier copy. */
function copyConfig(file: string): string {
  for (let count = 1; count <= MAX_COPIES; count += 1) {
    const copy = count === 1 ? `${file}.bak` : `${file}.bak${count}`;
    if (existsSync(copy)) continue;
    copyFileSync(file, copy, constants.COPYFILE_EXCL);
    return copy;
  }
  throw new UsageError(
    `setting up: the old configuration could not be copied: there are ${MAX_COPIES} copies of ${file} already; remove some`,
  );
}

/** Lines of other variables stay; a variable that stands there already is written anew. */
function writeTokens({ channels, model }: SetupPlan, file: string): readonly string[] {
  const given = [...channels.map((channel) => ({ ...channel, value: channel.token })), ...(model?.variables ?? [])];
  const tokens = given.filter(({ isFromEnvironment }) => !isFromEnvironment);
  if (tokens.length === 0) return [];
  const names = tokens.map(({ variable }) => variable);
  const before = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const kept = before.filter((line) => line !== "" && !names.some((name) => Object.hasOwn(parseEnv(line), name)));
  const lines = [...kept, ...tokens.map(({ variable, value }) => `${variable}=${value}`)];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  // One that existed keeps its mode otherwise.
  chmodSync(file, 0o600);
  return [file];
}

/** A workspace that is new gets a few files, so that the suggestions of the demo agent work in it. */
function makeWorkspace(workspace: string): readonly string[] {
  if (mkdirSync(workspace, { recursive: true }) === undefined) return [];
  for (const [name, text] of Object.entries(SAMPLE_FILES)) {
    const file = join(workspace, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [workspace];
}

/**
 * In a repository, and anywhere below its root, neither tokens nor conversations nor copies belong in a commit. The state
 * directory ignores itself; `.gitignore` gets a line only for what is next to it.
 */
function ignoreInGit(folder: string, stateDir: string, copy: string | undefined): readonly string[] {
  writeFileSync(join(stateDir, ".gitignore"), "*\n", { mode: 0o600 });
  if (!isInRepository(folder)) return [];
  const file = join(folder, ".gitignore");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = new Set(before.split("\n").map((line) => line.trim().replace(/\/$/, "")));
  const wanted = [
    ...(existsSync(join(folder, ENVIRONMENT_FILE)) ? [ENVIRONMENT_FILE] : []),
    ...(copy === undefined ? [] : [basename(copy)]),
  ];
  const missing = wanted.filter((name) => !lines.has(name));
  if (missing.length === 0) return [];
  appendFileSync(file, `${before === "" || before.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`);
  return [file];
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
