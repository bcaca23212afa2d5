/** Opens files and folders that are still what was checked: no link may take their place. */
import type { Stats } from "node:fs";
import { constants, type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Ports } from "../../ports/ports.ts";
import { SecretWatch } from "../../ports/secret-scrubber.ts";
import { hasErrorCode, ToolFailure } from "../failure.ts";

export interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Opens a resolved path for reading. Refuses pipes and devices without opening them, because opening one may wait
 * forever or have an effect. Refuses a path that changed between its check and its opening.
 */
export async function openRegularFile(realPath: string): Promise<OpenFile> {
  const before = await lstat(realPath);
  refuseSpecial(before);
  const handle = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await handle.stat();
    refuseSpecial(opened);
    const isSame = opened.dev === before.dev && opened.ino === before.ino && (await realpath(realPath)) === realPath;
    if (!isSame) throw new ToolFailure("error", "it was replaced while it was being opened; try again.");
    return { handle, size: opened.size };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

/** Reads up to `length` bytes from `position`. */
export async function readRange(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function refuseSpecial(stats: Stats): void {
  if (stats.isDirectory()) throw new ToolFailure("error", "it is a directory; use list_files.");
  if (!stats.isFile()) throw new ToolFailure("permission", "it is a pipe, socket, link or device, not a file.");
}

const CHUNK_BYTES = 256 * 1024;

interface SecretScan extends Pick<Ports, "scrub"> {
  readonly signal: AbortSignal;
}

/**
 * Throws for a file that contains a secret anywhere: no check can recognize a part of a secret. Reads the file to its
 * end.
 */
export async function refuseSecretFile(handle: FileHandle, { scrub, signal }: SecretScan): Promise<void> {
  const secrets = new SecretWatch(scrub);
  const piece = Buffer.alloc(CHUNK_BYTES);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(piece, 0, piece.length, position);
    if (bytesRead === 0) return;
    if (secrets.sees(piece.subarray(0, bytesRead))) throw secretFailure();
    position += bytesRead;
  }
}

/** Throws for bytes that contain a secret. */
export function refuseSecret(bytes: Buffer, scrub: SecretScan["scrub"]): void {
  if (new SecretWatch(scrub).sees(bytes)) throw secretFailure();
}

/**
 * Throws for a file among a program's arguments that contains a secret: a program could print it in parts. `path`: as
 * the agent wrote it.
 */
export async function refuseSecretArgument(
  path: string,
  { realPath, missing }: { readonly realPath: string; readonly missing?: unknown },
  scan: SecretScan,
): Promise<void> {
  if (missing !== undefined || !(await lstat(realPath)).isFile()) return;
  const { handle } = await openRegularFile(realPath);
  try {
    await refuseSecretFile(handle, scan);
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    const why = `${JSON.stringify(path)} contains a secret of this gateway and is not passed to programs; continue without it.`;
    throw new ToolFailure("permission", why, { cause });
  } finally {
    await handle.close();
  }
}

function secretFailure(): ToolFailure {
  return new ToolFailure("permission", "it contains a secret of this gateway and is not shown; continue without it.");
}

/**
 * The host's folder in a workspace. No link may replace it; a tool reads only the parts of it that are open to its
 * session.
 */
export const HOST_FOLDER = ".banyan";
const FOLDER_MODE = 0o700;

/**
 * Creates a folder in an existing one. Returns its path, or `undefined` if a link or a file is in its place: it may
 * lead anywhere.
 */
export async function openOwnFolder(parent: string, name: string): Promise<string | undefined> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  return (await isFolder(folder)) ? folder : undefined;
}

/** Whether a folder is there, not a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return (await findStats(path))?.isDirectory() === true;
}

/** Finds what is at a path, without following a link; `undefined`: nothing. */
export async function findStats(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A folder that stays the one that was checked, even if its path changes. */
export interface RealFolder {
  readonly handle: FileHandle;
  /** Returns the path of a name in it; on Linux through the open folder, not through its path. */
  pathOf(name: string): string;
}

/**
 * Opens a folder by its path without links, and creates the missing ones below it, one by one. Refuses a link in the
 * place of one. The caller closes the handle.
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
    const accessPath = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : expected;
    if (!(await isOpenedAt(handle, accessPath, expected)))
      throw new ToolFailure("error", "a folder was replaced while the file was being written; try again.");
    return { handle, pathOf: (name) => join(accessPath, name) };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

async function isOpenedAt(handle: FileHandle, accessPath: string, expected: string): Promise<boolean> {
  if (accessPath !== expected) return (await readlink(accessPath)) === expected;
  const [opened, there]: readonly Stats[] = await Promise.all([handle.stat(), lstat(expected)]);
  return opened?.ino === there?.ino && opened?.dev === there?.dev && (await realpath(expected)) === expected;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  }
}
