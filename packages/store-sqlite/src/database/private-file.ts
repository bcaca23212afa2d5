import { chmodSync, closeSync, constants, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync } from "node:fs";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OF_OTHERS = 0o077;

/** Something stands where a file or folder of the state directory belongs that is none, such as a symbolic link. */
export class ForeignFileError extends Error {
  constructor(path: string, wanted: "file" | "folder") {
    super(`${path} is no plain ${wanted}; remove it: what Banyan keeps stays below its state directory`);
    this.name = "ForeignFileError";
  }
}

/** Opens a file for its owner alone, whatever it was before; never through a symbolic link. Throws what `open` does. */
export function openPrivate(path: string, flags: number): number {
  const fd = openSync(path, flags | constants.O_NOFOLLOW, FILE_MODE);
  try {
    if ((fstatSync(fd).mode & OF_OTHERS) !== 0) fchmodSync(fd, FILE_MODE);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Makes a folder for its owner alone, or makes that of the one that stands there. Throws for a symbolic link. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: FOLDER_MODE });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const found = lstatSync(path);
    if (!found.isDirectory()) throw new ForeignFileError(path, "folder");
    if ((found.mode & OF_OTHERS) !== 0) chmodSync(path, FOLDER_MODE);
  }
}

/** For files that SQLite opens by their name, which follows links. */
export function refuseForeignFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isFile()) throw new ForeignFileError(path, "file");
  if ((found.mode & OF_OTHERS) !== 0) chmodSync(path, FILE_MODE);
}
