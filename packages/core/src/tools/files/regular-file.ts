import type { Stats } from "node:fs";
import { constants, type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { ToolFailure } from "../tool-failure.ts";

export interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Opens a resolved path for reading. Pipes and devices are refused unopened, for opening one may wait for ever or have
 * an effect; a path that became another one between its check and its opening is refused too.
 */
export async function openRegularFile(realPath: string): Promise<OpenFile> {
  const before = await lstat(realPath);
  refuseOthers(before);
  const handle = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await handle.stat();
    refuseOthers(opened);
    const isSame = opened.dev === before.dev && opened.ino === before.ino && (await realpath(realPath)) === realPath;
    if (!isSame) throw new ToolFailure("error", "it was replaced while it was being opened; try again.");
    return { handle, size: opened.size };
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}

/** Fills as much of `length` as there is from `position` on. */
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

function refuseOthers(stats: Stats): void {
  if (stats.isDirectory()) throw new ToolFailure("error", "it is a directory; use list_files.");
  if (!stats.isFile()) throw new ToolFailure("permission", "it is a pipe, socket, link or device, not a file.");
}
