/** Finds in the text of a file what it may load. Texts that only look like it count as well. */
import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";

export interface CodeNames {
  /** Names that an import gives. */
  readonly imported: readonly string[];
  /** Any other text that looks like a path. */
  readonly quoted: readonly string[];
  /** The fixed beginnings of names that are computed, for example `./parts/` of `./parts/${name}.ts`. */
  readonly beginnings: readonly string[];
}

/** Larger files are listed, but not searched: a person writes no such file. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;
const IMPORTED = /\b(?:from|import\s*\(?|require(?:\.resolve)?\s*\()\s*(["'`])([^"'`\n]+)\1(\s*\+)?/g;
const QUOTED = /(["'`])((?:\.{1,2}\/|\/|file:)[^"'`\n]*)\1/g;
/** The entry of a package, also without `./`. */
const MAIN = /"main"\s*:\s*"([^"\n]+)"/g;
const PLACEHOLDER = "${";
const NONE: CodeNames = { imported: [], quoted: [], beginnings: [] };

/** Reads a file. One without an extension counts as code only if its first line names the program that runs it. */
export function readCodeNames(file: string, sizeBytes: number): CodeNames {
  if (sizeBytes > MAX_SEARCHED_BYTES) return NONE;
  const text = readFileSync(file, "utf8");
  if (extname(file) === "" && !text.startsWith("#!")) return NONE;
  const quoted = [...text.matchAll(QUOTED)].map(([, , name = ""]) => name);
  if (extname(file) === ".json") {
    const mains = basename(file) === "package.json" ? [...text.matchAll(MAIN)] : [];
    return { imported: mains.map(([, name]) => `./${name}`), quoted, beginnings: [] };
  }
  const found = [...text.matchAll(IMPORTED)].map(([, , name = "", plus]) => ({ name, isComputed: plus !== undefined }));
  const imported = found.filter(({ isComputed }) => !isComputed).map(({ name }) => name);
  const parts = found.filter(({ isComputed }) => isComputed).map(({ name }) => name);
  const templates = [...imported, ...quoted.filter((name) => name.startsWith(".") && extname(name) !== "")];
  const beginnings = templates.filter((name) => name.includes(PLACEHOLDER)).map((name) => name.split(PLACEHOLDER)[0]);
  const isWhole = (name: string) => !name.includes(PLACEHOLDER);
  return {
    imported: unique(imported.filter(isWhole)),
    quoted: unique(quoted.filter(isWhole)),
    beginnings: unique([...parts, ...beginnings].filter((name) => name !== undefined)),
  };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
