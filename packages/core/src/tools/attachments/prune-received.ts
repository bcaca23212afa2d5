/** Removes files that agents have saved long ago; who still wants one saves it again. */
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { HOST_FOLDER, isFolder } from "../files/host-folder.ts";
import { RECEIVED_FOLDER } from "./received-folder.ts";

/** Of each workspace; `before` in milliseconds since the epoch. A link in the place of a folder is left alone. */
export async function pruneReceived(workspaces: Iterable<string>, before: number): Promise<void> {
  for (const workspace of new Set(workspaces)) {
    const received = join(workspace, HOST_FOLDER, RECEIVED_FOLDER);
    if (!(await isFolder(join(workspace, HOST_FOLDER))) || !(await isFolder(received))) continue;
    for (const session of await readdir(received)) await pruneFolder(join(received, session), before);
  }
}

async function pruneFolder(folder: string, before: number): Promise<void> {
  if (!(await isFolder(folder))) return;
  const { mtimeMs: changedMs } = await lstat(folder);
  let left = 0;
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await lstat(join(folder, name));
    if (mtimeMs < before) await rm(join(folder, name), { force: true, recursive: true });
    else left += 1;
  }
  // A young one may be waiting for its first file.
  if (left === 0 && changedMs < before) await rmdir(folder);
}
