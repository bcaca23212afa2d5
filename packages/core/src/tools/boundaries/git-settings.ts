/**
 * The programs and files that a repository's own settings name, read without git: only keys that refer to no program,
 * folder or further file are open.
 */

import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { hasErrorCode, ToolFailure } from "../failure.ts";
import { isWithin } from "../files/workspace-path.ts";

/** `*` is the name of a remote, a branch, a submodule. */
const OPEN_KEYS: ReadonlySet<string> = new Set(
  [
    "core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode",
    "core.symlinks core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.compression core.whitespace",
    "core.longpaths core.sparsecheckout core.sparsecheckoutcone core.untrackedcache core.preloadindex",
    "extensions.objectformat extensions.worktreeconfig extensions.partialclone extensions.refstorage",
    "user.name user.email user.signingkey user.useconfigonly author.name author.email committer.name committer.email",
    "remote.*.url remote.*.pushurl remote.*.fetch remote.*.push remote.*.tagopt remote.*.prune remote.*.prunetags",
    "remote.*.mirror remote.*.promisor remote.*.partialclonefilter remote.*.skipfetchall remote.pushdefault",
    "branch.*.remote branch.*.merge branch.*.rebase branch.*.pushremote branch.*.description branch.autosetupmerge",
    "branch.autosetuprebase submodule.*.url submodule.*.active submodule.active init.defaultbranch pull.rebase pull.ff",
    "push.default push.autosetupremote push.followtags fetch.prune fetch.prunetags merge.ff merge.conflictstyle",
    "diff.renames diff.algorithm commit.gpgsign tag.gpgsign gc.auto rerere.enabled log.date status.short color.ui",
    "lfs.repositoryformatversion",
  ].flatMap((line) => line.split(" ")),
);
const HEADER = /^\[\s*([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\]/;
const MAX_CONFIG_BYTES = 1024 * 1024;
/** Settings that cannot be read, or that are elsewhere. */
const UNREADABLE = "unreadable-settings";

/**
 * Lists the settings that are not open, of all repositories of a workspace, including nested ones and submodules, such
 * as `filter.lfs.clean` and `alias.x`: each is a word that needs a separate permission.
 */
export async function listClosedSettings(workspaceDir: string): Promise<readonly string[]> {
  const root = await realpath(workspaceDir);
  const found = new Set<string>();
  for await (const { path, name } of walkWorkspace(root, { withPackages: true })) {
    if (name.toLowerCase() !== ".git") continue;
    for (const word of await listRepositorySettings(path, root)) found.add(word);
  }
  return [...found];
}

async function listRepositorySettings(path: string, root: string): Promise<readonly string[]> {
  try {
    const folder = await findGitFolder(await realpath(path));
    if (folder === undefined) return [];
    const common = resolve(folder, (await readText(join(folder, "commondir"))).trim() || ".");
    const folders = await Promise.all([folder, common].map((each) => realpath(each)));
    if (folders.some((each) => !isWithin(root, each))) return [UNREADABLE];
    const files = new Set(folders.flatMap((each) => [join(each, "config"), join(each, "config.worktree")]));
    return (await Promise.all([...files].map(readText))).flatMap(listClosedKeys);
  } catch {
    // A path that is missing, no file or too long is not treated as harmless.
    return [UNREADABLE];
  }
}

/** Finds the folder itself, or the one that a file `gitdir: …` names. */
async function findGitFolder(path: string): Promise<string | undefined> {
  if ((await stat(path)).isDirectory()) return path;
  const [, named] = /^gitdir: (.+)/.exec(await readText(path)) ?? [];
  return named === undefined ? undefined : resolve(dirname(path), named.trim());
}

/** Empty if there is none. */
async function readText(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MAX_CONFIG_BYTES) throw new Error("no file of settings, or too long");
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return "";
    throw error;
  }
}

/**
 * Pure. A value that continues in the next line is read as a key or a section there; nothing is missed by that, since
 * the key of a closed section before such a line is found itself.
 */
export function listClosedKeys(text: string): readonly string[] {
  const found: string[] = [];
  let section = "";
  for (const line of text.replace(/^\uFEFF/, "").split("\n")) {
    let rest = line.trim();
    while (rest.startsWith("[")) {
      const [header = "", named = "", sub] = HEADER.exec(rest) ?? [];
      if (header === "") return [...found, UNREADABLE];
      const [first = "", ...more] = named.toLowerCase().split(".");
      section = sub === undefined && more.length === 0 ? first : `${first}.${sub ?? more.join(".")}`;
      rest = rest.slice(header.length).trim();
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue;
    const key = /^[A-Za-z0-9-]*/.exec(rest)?.[0].toLowerCase() || UNREADABLE;
    const [name = ""] = section.split(".");
    const isOpen = OPEN_KEYS.has(section === name ? `${name}.${key}` : `${name}.*.${key}`);
    if (!isOpen) found.push(`${section}.${key}`);
  }
  return found;
}

/** Walking this many takes about half a second. */
const MAX_WORKSPACE_NAMES = 100_000;
const GIT_FOLDER = ".git";
const PACKAGES_FOLDER = "node_modules";

interface WalkedName {
  /** Absolute, below the root. */
  readonly path: string;
  readonly name: string;
}

/**
 * Walks all names of a workspace before a program runs there, because the program could open each. Follows no link,
 * does not enter `.git`, and enters packages only on request. Throws a `ToolFailure` beyond the limit: unread names are
 * not treated as harmless. A file that cannot be opened here cannot be opened by a program either.
 */
export async function* walkWorkspace(
  root: string,
  { withPackages, limitNames = MAX_WORKSPACE_NAMES }: { readonly withPackages: boolean; readonly limitNames?: number },
): AsyncGenerator<WalkedName> {
  const folders = [root];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of await readFolder(folder)) {
      seen += 1;
      if (seen > limitNames)
        throw new ToolFailure(
          "resource",
          `the workspace has more than ${limitNames} files, too many to check before a program runs; ask the operator to set the agent's \`workspace\` to a smaller folder.`,
        );
      const path = join(folder, entry.name);
      yield { path, name: entry.name };
      const isSkipped = entry.name === GIT_FOLDER || (!withPackages && entry.name === PACKAGES_FOLDER);
      if (entry.isDirectory() && !isSkipped) folders.push(path);
    }
}

async function readFolder(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (hasErrorCode(error, "ENOENT", "ENOTDIR", "EACCES")) return [];
    throw error;
  }
}
