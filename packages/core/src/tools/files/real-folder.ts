import type { Stats } from "node:fs";
import { constants, type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ToolFailure } from "../tool-failure.ts";

/** A folder that stays the one that was looked at, whatever is put into its place meanwhile. */
export interface RealFolder {
  readonly handle: FileHandle;
  /** A path to what is in it. Where the system can, it goes through the open folder and not by its name. */
  pathOf(name: string): string;
}

/**
 * Opens a folder by its path without links, and makes the ones below it that are missing, one by one. Refuses where a link
 * stands in the place of one. The caller closes the handle.
 */
export async function openRealFolder(realPath: string, missing: readonly string[]): Promise<RealFolder> {
  let folder = await openFolder(realPath, realPath);
  let expected = realPath;
  for (const name of missing) {
    const parent = folder;
    expected = join(expected, name);
    try {
      await makeFolder(parent.pathOf(name));
      folder = await openFolder(parent.pathOf(name), expected);
    } finally {
      await parent.handle.close();
    }
  }
  return folder;
}

async function openFolder(path: string, expected: string): Promise<RealFolder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const way = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : expected;
    if (!(await isAt(handle, way, expected)))
      throw new ToolFailure("error", "a folder was replaced while the file was being written; try again.");
    return { handle, pathOf: (name) => join(way, name) };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

async function isAt(handle: FileHandle, way: string, expected: string): Promise<boolean> {
  if (way !== expected) return (await readlink(way)) === expected;
  const [opened, there]: readonly Stats[] = await Promise.all([handle.stat(), lstat(expected)]);
  return opened?.ino === there?.ino && opened?.dev === there?.dev && (await realpath(expected)) === expected;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
