/** The folder in a workspace that is the host's: what no link may stand in for, and what a tool sees only where it is opened to it. */
import { lstat, mkdir, open } from "node:fs/promises";
import { join } from "node:path";

export const HOST_FOLDER = ".banyan";
const FOLDER_MODE = 0o700;

/**
 * Makes a folder below one that is really there. Answers its path, or `undefined` where a link or no folder stands in its
 * place: it may lead anywhere.
 */
export async function openOwnFolder(parent: string, name: string): Promise<string | undefined> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  return (await isFolder(folder)) ? folder : undefined;
}

/** Whether a folder itself stands there, not a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** What was made in it outlives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
