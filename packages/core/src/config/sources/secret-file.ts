/** The one place that defines which files hold secrets by their name. */
import { resolve } from "node:path";
import { CONFIG_FILE_NAMES } from "./config-file.ts";

/** Next to the configuration; holds its tokens. */
export const ENVIRONMENT_FILE = ".env";
/** `.env`, `.env.local`, `.envrc`, in any folder. Samples such as `.env.example` hold none. */
const TOKENS = /^\.env(?!\.(?:example|sample|template|dist)$)/i;

/** Takes one path segment; a folder of such a name counts as well. */
export function isTokenName(name: string): boolean {
  return TOKENS.test(name);
}

/** Lists the files that may hold a configuration's secrets, including missing ones: no tool may show them. Absolute. */
export function listSecretFiles({
  file,
  folder,
}: {
  readonly file?: string | undefined;
  readonly folder: string;
}): readonly string[] {
  const named = [ENVIRONMENT_FILE, ...CONFIG_FILE_NAMES].map((name) => resolve(folder, name));
  return file === undefined ? named : [...named, file];
}
