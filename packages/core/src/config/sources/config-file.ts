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
  throw fileError(file, "there is no such file", "nothing", "correct --config, or leave it out to use the defaults");
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
    throw fileError(file, "it cannot be read", message, "name a file that this user may read", cause);
  }
  throw fileError(file, `it is larger than ${SIZE_LIMIT_BYTES} bytes`, "more", "check the file's name");
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fileError(file, "it is not valid JSON", formatSyntaxPlace(cause), "correct it there");
  }
}

/** The engine's message quotes the text around the mistake, where a token may stand: only the place is told. */
function formatSyntaxPlace(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : "";
  const [, place] = /\((line \d+ column \d+)\)/.exec(message) ?? [];
  const [, token] = /^Unexpected token '(.)'/u.exec(message) ?? [];
  if (place !== undefined) return `a mistake at ${place}`;
  return token === undefined ? "a text that ends too early or is empty" : `an unexpected ${JSON.stringify(token)}`;
}

async function importDefault(file: string): Promise<unknown> {
  const loaded = await importModule(file);
  const content = loaded.default;
  if (typeof content === "object" && content !== null) return content;
  const received = content === undefined ? "no default export" : `a ${typeof content}`;
  throw fileError(file, "it gives no configuration", received, "write export default defineConfig({ … })");
}

async function importModule(file: string): Promise<{ readonly default?: unknown }> {
  try {
    const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href);
    return loaded;
  } catch (cause) {
    const failure = findImportFailure(cause, dirname(file));
    if (failure !== undefined) throw fileError(file, "running it failed", failure.received, failure.cure);
    if (!(cause instanceof SyntaxError)) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw fileError(file, "running it failed", message, "correct what it imports or does", cause);
    }
    // A syntax error's stack quotes the line it stands in, so it is no cause to hand on.
    const [, line] = /:(\d+)\n/.exec(cause.stack ?? "") ?? [];
    const place = line === undefined ? "a syntax error" : `a syntax error in line ${line}`;
    throw fileError(file, "it cannot be read as TypeScript", place, "correct it there");
  }
}

function fileError(file: string, wrong: string, received: string, cure: string, cause?: unknown): BanyanError {
  return new BanyanError("config_unreadable", `reading ${file}: ${wrong}, received ${received}; ${cure}`, { cause });
}
