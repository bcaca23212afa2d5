import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseEnv } from "node:util";
import { configJsonSchema, ENVIRONMENT_FILE } from "@banyan/core";
import { buildSetupConfig, SETUP_WORKSPACE, type SetupPlan } from "./setup-plan.ts";

const SCHEMA_FILE = "config.schema.json";

/** Writes what was planned, makes the agent's workspace and names the files. The tokens go into a file of their own that only its owner reads. */
export function writeSetup(plan: SetupPlan, configFile: string, folder: string, stateDir: string): readonly string[] {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, SETUP_WORKSPACE), { recursive: true });
  const schemaFile = join(stateDir, SCHEMA_FILE);
  writeFileSync(schemaFile, `${JSON.stringify(configJsonSchema(), null, 2)}\n`, { mode: 0o600 });
  const config = buildSetupConfig(plan, `./${relative(folder, schemaFile)}`);
  writeFileSync(configFile, `${JSON.stringify(config, null, 2)}\n`);
  return [configFile, ...writeTokens(plan, join(folder, ENVIRONMENT_FILE)), ...ignoreInGit(folder, stateDir)];
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

/** In a repository, and anywhere below its root, neither the tokens nor the conversations belong into a commit. */
function ignoreInGit(folder: string, stateDir: string): readonly string[] {
  if (!isInRepository(folder)) return [];
  const file = join(folder, ".gitignore");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = new Set(before.split("\n").map((line) => line.trim().replace(/\/$/, "")));
  const inside = relative(folder, stateDir);
  const wanted = [ENVIRONMENT_FILE, ...(inside.startsWith("..") ? [] : [inside])];
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
