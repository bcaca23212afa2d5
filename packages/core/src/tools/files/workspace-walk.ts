/** Reads every name of a workspace before a program runs there: the program could open each. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ToolFailure } from "../tool-failure.ts";

/** Takes about half a second. */
const WORKSPACE_LIMIT_NAMES = 100_000;
const GIT_FOLDER = ".git";
const PACKAGES_FOLDER = "node_modules";

export interface WalkedName {
  /** Absolute, below the root. */
  readonly path: string;
  readonly name: string;
}

/**
 * Follows no link and does not enter `.git`, and enters packages only on request. Throws a `ToolFailure` beyond the
 * limit: unread names are not taken for harmless. A file that cannot be opened here cannot be opened by a program
 * either.
 */
export async function* walkWorkspace(
  root: string,
  {
    withPackages,
    limitNames = WORKSPACE_LIMIT_NAMES,
  }: { readonly withPackages: boolean; readonly limitNames?: number },
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
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return [];
    throw error;
  }
}
