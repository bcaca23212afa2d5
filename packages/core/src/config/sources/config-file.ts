import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BanyanError } from "../../ports/errors.ts";
import { findImportFailure } from "../problems/import-failure.ts";

/** In the order they are looked for. */
export const CONFIG_FILE_NAMES: readonly string[] = ["banyan.config.ts", "banyan.config.json"];
/** A configuration is written by people; what is larger is another file. */
const SIZE_LIMIT_BYTES = 1024 * 1024;

/**
 * Finds the configuration file: the named one, which must be there, or the first of the known names in a folder.
 * `undefined` means that there is none, which is fine.
 */
export function findConfigFile(named: string | undefined, cwd: string): string | undefined {
  if (named === undefined) return CONFIG_FILE_NAMES.map((name) => join(cwd, name)).find((file) => existsSync(file));
  const file = resolve(cwd, named);
  if (existsSync(file)) return file;
  throw fileError(file, "No such file", "correct --config, or omit it to use the defaults");
}

/**
 * Gives what a configuration file holds, not judged yet; a `.ts` or `.js` file is imported by node itself.
 * Throws `config_unreadable`. The file's text may hold tokens, so no message and no cause quotes it.
 */
export async function readConfigFile(file: string): Promise<unknown> {
  const text = await readText(file);
  return file.endsWith(".json") ? parseJson(file, text) : importDefault(file);
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= SIZE_LIMIT_BYTES) return await readFile(file, "utf8");
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw fileError(file, `Cannot be read: ${message}`, "name a file that this user may read", cause);
  }
  throw fileError(file, `Larger than ${SIZE_LIMIT_BYTES} bytes`, "check the file's name");
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const wrong = text.trim() === "" ? "The file is empty" : `Invalid JSON at ${formatSyntaxPlace(text, cause)}`;
    throw new BanyanError("config_unreadable", `reading ${file}: ${wrong}.`);
  }
}

/** The engine's message quotes the text around the mistake, where a token may be: only the place is given. */
function formatSyntaxPlace(text: string, cause: unknown): string {
  const before = text.slice(0, findSyntaxError(text, cause)).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

/** The engine gives no position for a character that it did not expect: the shortest beginning that has it ends there. */
function findSyntaxError(text: string, cause: unknown): number {
  const message = cause instanceof Error ? cause.message : "";
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (hasUnexpectedToken(text.slice(0, middle))) bad = middle;
    else good = middle;
  }
  return hasUnexpectedToken(text) ? good : text.length;
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (cause) {
    return cause instanceof Error && cause.message.startsWith("Unexpected token");
  }
}

async function importDefault(file: string): Promise<unknown> {
  const loaded = await importModule(file);
  const content = loaded.default;
  if (typeof content === "object" && content !== null) return content;
  const wrong = content === undefined ? "No default export" : `Its default export is a ${typeof content}`;
  throw fileError(file, wrong, "write export default defineConfig({ … })");
}

async function importModule(file: string): Promise<{ readonly default?: unknown }> {
  try {
    const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    return loaded;
  } catch (cause) {
    const failure = findImportFailure(cause, dirname(file));
    if (failure !== undefined) throw fileError(file, failure.received, failure.cure);
    if (!(cause instanceof SyntaxError)) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw fileError(file, `Running it failed: ${message}`, "correct what it imports or does", cause);
    }
    // A syntax error's stack quotes the line of the error, so it is no cause to hand on.
    const [, line] = /:(\d+)\n/.exec(cause.stack ?? "") ?? [];
    const place = line === undefined ? "" : ` at line ${line}`;
    throw new BanyanError("config_unreadable", `reading ${file}: Invalid TypeScript${place}.`);
  }
}

function fileError(file: string, wrong: string, cure: string, cause?: unknown): BanyanError {
  return new BanyanError("config_unreadable", `reading ${file}: ${wrong}; ${cure}`, { cause });
}
