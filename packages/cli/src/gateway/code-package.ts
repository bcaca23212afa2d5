import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package as the search for the host's code sees it. */
export interface CodePackage {
  readonly name: string;
  readonly dependencies: readonly string[];
  readonly imports: unknown;
  readonly exports: unknown;
}

/** Of a folder without a `package.json`. */
export const NO_PACKAGE: CodePackage = { name: "", dependencies: [], imports: undefined, exports: undefined };

/** Reads a `package.json`. Throws for one that is not JSON: what the package loads is unknown then. */
export function readCodePackage(file: string): CodePackage {
  const content = readManifest(file);
  const listed = ["dependencies", "optionalDependencies", "peerDependencies"].map((key) => content[key]);
  return {
    name: typeof content.name === "string" ? content.name : "",
    dependencies: listed.flatMap((names) => (isTable(names) ? Object.keys(names) : [])),
    imports: content.imports,
    exports: content.exports,
  };
}

function readManifest(file: string): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isTable(content) ? content : {};
  } catch (cause) {
    throw new Error(`listing the code that the host runs: ${file} cannot be read as JSON; correct it`, { cause });
  }
}

/** The nearest folder with a `package.json`, or the file's own folder. */
export function findPackageFolder(file: string): string {
  for (let dir = dirname(file); dir !== dirname(dir); dir = dirname(dir))
    if (existsSync(join(dir, "package.json"))) return dir;
  return dirname(file);
}

/** The name of the package that an import names: `@scope/dice/sides` → `@scope/dice`. */
export function formatPackageName(imported: string): string {
  return imported
    .split("/")
    .slice(0, imported.startsWith("@") ? 2 : 1)
    .join("/");
}

/**
 * What a table of `imports` or `exports` makes of a key such as `#dice` or `./sides`: every target under any condition,
 * relative to the package.
 */
export function listTargets(table: unknown, key: string): readonly string[] {
  const isKeyed = isTable(table) && Object.keys(table).some((name) => /^[#.]/.test(name));
  if (!isKeyed) return key === "." ? listTexts(table) : [];
  return Object.entries(table).flatMap(([pattern, target]) => {
    if (pattern === key) return listTexts(target);
    const [before = "", after] = pattern.split("*");
    if (after === undefined || !key.startsWith(before) || !key.endsWith(after)) return [];
    const matched = key.slice(before.length, key.length - after.length);
    return listTexts(target).map((text) => text.replaceAll("*", () => matched));
  });
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listTexts(target: unknown): readonly string[] {
  if (typeof target === "string") return [target];
  return typeof target === "object" && target !== null ? Object.values(target).flatMap(listTexts) : [];
}
