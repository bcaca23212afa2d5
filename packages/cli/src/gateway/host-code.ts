import { existsSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { getCompileCacheDir, isBuiltin } from "node:module";
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CONFIG_FILE_NAMES, formatPluginPackage, isPluginFile, type LoadedConfig } from "@banyan/core";
import { OWN_FILE } from "./built-in.ts";
import { type CodeNames, readCodeNames } from "./code-names.ts";
import {
  type CodePackage,
  findPackageFolder,
  formatPackageName,
  listTargets,
  NO_PACKAGE,
  readCodePackage,
} from "./code-package.ts";
import { type ForeignCommand, listForeignCommands } from "./foreign-agent-check.ts";

const SEARCHED: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", ""]);
const CODE: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", ".node", ".wasm"]);
/** The extensions that `require` tries after a path without one. */
const REQUIRED: readonly string[] = [".js", ".json", ".node"];
const INDEX: readonly string[] = ["package.json", "index.js", "index.json", "index.node"];
/** Far above any project; the search must end. */
const MAX_SEARCHED_FILES = 20_000;
const MAX_LINKS = 40;
/** Longer texts name no file. */
const MAX_NAME_CHARS = 200;
/**
 * The files, in a folder or above it, that decide which code the next start runs: where packages are found, and what
 * npm, pnpm, Yarn, Bun and Node run before them and for them. Listed also before they exist.
 */
const DECIDING: readonly string[] = [
  ...["node_modules", "package.json", "package.json5", "package.yaml"],
  ...[".npmrc", "package-lock.json", "npm-shrinkwrap.json"],
  ...[".pnpmfile.cjs", ".pnpmfile.mjs", "pnpmfile.js", "pnpm-workspace.yaml", "pnpm-lock.yaml"],
  ...[".yarn", ".yarnrc", ".yarnrc.yml", "yarn.lock", ".pnp.cjs", ".pnp.js", ".pnp.loader.mjs", ".pnp.data.json"],
  ...["bunfig.toml", "bun.lock", "bun.lockb"],
  ...["tsconfig.json", "jsconfig.json", "node.config.json", ".node_modules", ".node_libraries"],
];
const OWN_SCOPE = "@banyan/";
const INSTALLED = `${sep}node_modules${sep}`;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes the list of the files and folders that this gateway runs code from: the configuration, its plugins, the programs
 * of foreign agents, all that these import, Banyan itself, Node and its compile cache. Absolute paths. The list is made
 * again for each call that may write; an unchanged file is not read again. Names are found by the texts in the code: of a
 * computed name the folder at its beginning is listed, and a name without a fixed beginning is not found.
 */
export async function createHostCode(loaded: LoadedConfig, env: Environment): Promise<() => readonly string[]> {
  const programs = await listForeignCommands(loaded.config);
  const readers = { names: keepUnchanged(readCodeNames), package: keepUnchanged(readCodePackage) };
  return () => new HostCodeSearch(readers).listFrom(loaded, programs, env);
}

interface Readers {
  readonly names: (file: string, stats: Stats) => CodeNames;
  readonly package: (file: string, stats: Stats) => CodePackage;
}

function keepUnchanged<T>(read: (file: string, sizeBytes: number) => T): (file: string, stats: Stats) => T {
  const known = new Map<string, { readonly stamp: string; readonly value: T }>();
  return (file, { mtimeMs, size, ino }) => {
    const stamp = `${mtimeMs} ${size} ${ino}`;
    const before = known.get(file);
    if (before?.stamp === stamp) return before.value;
    const value = read(file, size);
    known.set(file, { stamp, value });
    return value;
  };
}

class HostCodeSearch {
  readonly #found = new Set<string>();
  readonly #waiting: string[] = [];
  readonly #seen = new Set<string>();
  readonly #guarded = new Set<string>();
  /** The folders of Banyan's own packages. */
  readonly #own: string[] = [];
  readonly #readers: Readers;

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  listFrom(
    { file, folder, config }: LoadedConfig,
    programs: readonly ForeignCommand[],
    env: Environment,
  ): readonly string[] {
    this.#addPackageAt(findPackageFolder(realpathSync(OWN_FILE)));
    this.#addPlace(process.execPath);
    const compiled = getCompileCacheDir();
    if (compiled !== undefined) this.#addPlace(dirname(compiled));
    // The program that embeds Banyan, and what Node loads before it.
    const words = [...process.argv.slice(1, 2), ...process.execArgv, ...splitWords(env.NODE_OPTIONS)];
    for (const word of words.flatMap(listParts)) this.#addWord(resolve(word));
    // Listed whether or not it exists yet.
    for (const name of CONFIG_FILE_NAMES) this.#add(resolve(folder, name));
    if (file !== undefined) this.#add(file);
    for (const { package: name } of config.plugins) {
      if (isPluginFile(name)) this.#add(resolve(folder, name));
      else this.#addPackage(formatPluginPackage(name), folder);
    }
    for (const program of programs) this.#addProgram(program, folder, env.PATH ?? "");
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) this.#search(next);
    return [...this.#found];
  }

  /** Lists a file, and the files that decide how Node runs it and where it finds packages. */
  #add(path: string): void {
    this.#addPlace(path);
    this.#guard(path);
    this.#guard(resolveLinks(path));
    this.#waiting.push(resolveLinks(path));
  }

  #addPlace(path: string): void {
    this.#found.add(path);
    this.#found.add(resolveLinks(path));
  }

  #guard(path: string): void {
    for (let dir = dirname(path); !this.#guarded.has(dir); dir = dirname(dir)) {
      this.#guarded.add(dir);
      for (const name of DECIDING) this.#found.add(join(dir, name));
    }
  }

  #search(file: string): void {
    if (this.#seen.has(file)) return;
    if (this.#seen.size >= MAX_SEARCHED_FILES) {
      const wrong = `the configuration and the plugins load more than ${MAX_SEARCHED_FILES} files`;
      throw new Error(`listing the code that the host runs: ${wrong}; install what they load as packages`);
    }
    this.#seen.add(file);
    const stats = findStats(file);
    if (stats?.isFile() !== true) return;
    const installed = findInstalledPackage(file);
    if (installed !== undefined) {
      this.#addPackageAt(installed);
      return;
    }
    // Banyan's own packages import one another by name only.
    const isOwn = this.#own.some((folder) => file.startsWith(folder + sep));
    if (isOwn || !SEARCHED.has(extname(file))) return;
    const { imported, quoted, beginnings } = this.#readers.names(file, stats);
    for (const name of imported) this.#follow(name, file);
    for (const name of quoted) this.#addQuoted(name, file);
    for (const name of beginnings) this.#addComputed(name, file);
  }

  #follow(name: string, from: string): void {
    const folder = findPackageFolder(from);
    if (isPathName(name)) this.#addImported(resolveName(name, from));
    else if (name.startsWith("#")) {
      this.#add(join(folder, "package.json"));
      this.#addTargets(this.#readPackage(folder).imports, name, folder);
    } else if (!isBuiltin(name)) this.#followPackage(name, from, folder);
  }

  #followPackage(name: string, from: string, folder: string): void {
    const wanted = formatPackageName(name);
    const own = this.#readPackage(folder);
    // A package may import itself by its name.
    if (own.name === wanted) this.#addTargets(own.exports, `.${name.slice(wanted.length)}`, folder);
    this.#addPackage(wanted, dirname(from));
  }

  #addTargets(table: unknown, key: string, folder: string): void {
    for (const target of listTargets(table, key))
      if (isPathName(target)) this.#addImported(resolve(folder, target));
      else this.#addPackage(formatPackageName(target), folder);
  }

  /** Lists the place of an import, also before the file exists. */
  #addImported(path: string | undefined): void {
    if (path === undefined) return;
    const stats = findStats(path);
    if (stats?.isFile() !== true) for (const extension of REQUIRED) this.#add(path + extension);
    if (stats?.isDirectory() === true) for (const index of INDEX) this.#add(join(path, index));
    else this.#add(path);
  }

  /** Lists any other text that looks like a path, if there is a file or if its name is one of code. */
  #addQuoted(name: string, from: string): void {
    const path = resolveName(name, from);
    if (path === undefined) return;
    const stats = findStats(path);
    if (stats === undefined ? CODE.has(extname(path)) : stats.isFile()) this.#add(path);
    // Any function may load what it is given, as `createRequire` makes them.
    if (name.startsWith(".") && extname(path) === "") for (const extension of REQUIRED) this.#add(path + extension);
  }

  /** Lists the folder that a computed name begins with: any file in it may be the one. */
  #addComputed(beginning: string, from: string): void {
    if (!isPathName(beginning)) return;
    const folder = resolveName(beginning.slice(0, beginning.lastIndexOf("/") + 1), from);
    if (folder !== undefined && folder !== dirname(folder)) this.#addPlace(folder);
  }

  #addProgram({ command, args, workspace }: ForeignCommand, folder: string, path: string): void {
    const found = path.split(delimiter).filter(isAbsolute);
    if (!command.includes("/")) for (const dir of found) this.#addWord(join(dir, command));
    for (const word of [command, ...args].flatMap(listParts))
      for (const place of [folder, workspace]) this.#addWord(resolve(place, word));
  }

  /** Lists a word of a program's command, if it may be code. */
  #addWord(path: string): void {
    const stats = findStats(path);
    if (stats === undefined ? CODE.has(extname(path)) : stats.isFile()) this.#add(path);
    if (stats?.isDirectory() === true)
      for (const index of INDEX.map((name) => join(path, name))) if (existsSync(index)) this.#add(index);
  }

  /** Finds a package as Node does from a folder. An installed package is listed with its folder of packages. */
  #addPackage(name: string, from: string): void {
    for (let dir = from; ; dir = dirname(dir)) {
      const place = join(dir, "node_modules", name);
      if (existsSync(place)) this.#addPackageAt(resolveLinks(place));
      if (existsSync(place) || dir === dirname(dir)) return;
    }
  }

  #readPackage(folder: string): CodePackage {
    const file = join(folder, "package.json");
    const stats = findStats(file);
    return stats?.isFile() === true ? this.#readers.package(file, stats) : NO_PACKAGE;
  }

  #addPackageAt(folder: string): void {
    if (this.#seen.has(folder)) return;
    this.#seen.add(folder);
    const at = `${folder}${sep}`.indexOf(INSTALLED);
    this.#found.add(at < 0 ? folder : folder.slice(0, at + INSTALLED.length - 1));
    const { name, dependencies } = this.#readPackage(folder);
    const isOwn = name === "banyan" || name.startsWith(OWN_SCOPE);
    if (isOwn) this.#own.push(folder);
    for (const each of dependencies) if (!isOwn || each.startsWith(OWN_SCOPE)) this.#addPackage(each, folder);
    if (at >= 0) return;
    // A linked package is among a project's own files, and may import others of them.
    if (isOwn) this.#guard(join(folder, "package.json"));
    else this.#add(join(folder, "package.json"));
  }
}

function splitWords(text = ""): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** A word of a command line, and the value in `--option=value`. */
function listParts(word = ""): readonly string[] {
  return [word, word.slice(word.indexOf("=") + 1)].filter((part) => part !== "" && !part.startsWith("-"));
}

function isPathName(name: string): boolean {
  return /^(?:\.{1,2}(?:\/|$)|\/|file:)/.test(name);
}

function resolveName(name: string, from: string): string | undefined {
  try {
    const path = name.startsWith("file:") ? fileURLToPath(name) : decodeURIComponent(name.split(/[?#]/)[0] ?? name);
    const isFile = !path.includes("\0") && path.split("/").every((segment) => segment.length <= MAX_NAME_CHARS);
    return isFile ? resolve(dirname(from), path) : undefined;
  } catch {
    // A text that only looks like an address of a file.
    return undefined;
  }
}

/** The package in `node_modules` that a file belongs to. */
function findInstalledPackage(file: string): string | undefined {
  const at = file.lastIndexOf(INSTALLED);
  if (at < 0) return undefined;
  const start = at + INSTALLED.length;
  return file.slice(0, start) + formatPackageName(file.slice(start));
}

function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // The path goes through a file or a loop of links, or is too long: nothing is loaded from there.
    return undefined;
  }
}

/** The path without links, as far as it exists; a link to what does not exist yet counts as its target. */
function resolveLinks(path: string, links = 0): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  if (folder === path) return path;
  const place = join(resolveLinks(folder, links), basename(path));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || links >= MAX_LINKS) return place;
  return resolveLinks(resolve(dirname(place), readlinkSync(place)), links + 1);
}
