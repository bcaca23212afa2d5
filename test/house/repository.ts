import { readdirSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

/** The repository's top folder. */
export const REPOSITORY: string = resolve(import.meta.dirname, "../..");

/** Folders that no checkout holds: installed, built or left by a run. */
const UNTRACKED: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", ".git", ".banyan"]);

/** The names in a folder that belong to the repository, in order. */
export function listNames(folder: string): readonly string[] {
  return readdirSync(join(REPOSITORY, folder))
    .filter((name) => !UNTRACKED.has(name) && !name.endsWith(".tgz") && !name.endsWith(".tsbuildinfo"))
    .sort();
}

/** The files below a folder as paths from the top folder, with `/` on every system. */
export function listFiles(folder = "."): readonly string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true }).flatMap((entry) => {
    if (UNTRACKED.has(entry.name)) return [];
    const path = formatPath(join(REPOSITORY, folder, entry.name));
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

/** A path from the top folder, with `/` on every system. */
export function formatPath(absolutePath: string): string {
  return relative(REPOSITORY, absolutePath).split(sep).join("/");
}
