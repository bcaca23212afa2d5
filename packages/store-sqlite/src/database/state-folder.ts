import { chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "@banyan/store";
import { ForeignFileError, refuseForeignFile } from "./private-file.ts";
import { formatCause } from "./sqlite-error.ts";

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Makes the folder of the store, open to its owner only. One that exists, or that a link names, may be looked into by
 * others, as its files are private anyway; that others could put files of theirs into it is ended.
 */
export function createStateFolder(stateDir: string): void {
  try {
    makeFolder(stateDir);
    const { mode } = statSync(stateDir);
    if ((mode & WRITABLE_BY_OTHERS) !== 0) chmodSync(stateDir, mode & 0o7777 & ~WRITABLE_BY_OTHERS);
  } catch (error) {
    throw new StoreError(
      "unusable",
      `opening the store in ${stateDir}: the folder cannot be made or written (${formatCause(error)}); choose a state directory that this user owns`,
      { cause: error },
    );
  }
}

/** One folder after the other: node's own `recursive` never returns on a file system that answers ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Makes an empty database file with mode 0600 before SQLite would make it readable for everybody. An existing file is
 * never opened here: closing it would drop the locks that another connection of this process holds on it.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      makePrivate(path);
      return;
    }
    throw new StoreError(
      "unusable",
      `opening the store: ${path} cannot be written (${formatCause(error)}); choose a state directory that this user can write`,
      { cause: error },
    );
  }
}

function makePrivate(path: string): void {
  try {
    refuseForeignFile(path);
  } catch (error) {
    if (error instanceof ForeignFileError) throw new StoreError("unusable", `opening the store: ${error.message}`);
    throw new StoreError(
      "unusable",
      `opening the store: ${path} belongs to another user (${formatCause(error)}); run Banyan as the user who owns its state directory`,
      { cause: error },
    );
  }
}
