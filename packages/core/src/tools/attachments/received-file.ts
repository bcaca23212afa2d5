/** Files that people sent, saved in the workspace of an agent: in the host's folder, separate for each conversation. */
import { type FileHandle, lstat, open, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Address, FilesAbility } from "@banyan/plugin-sdk";
import type { AttachmentsConfig } from "../../config/config.ts";
import { ToolFailure } from "../failure.ts";
import { findStats, HOST_FOLDER, isFolder, openOwnFolder, syncFolder } from "../files/safe-open.ts";

const FILE_MODE = 0o600;
const RECEIVED_FOLDER = "received";
/** One segment of a path, so that no id leads to another folder. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Lists the folders below the workspace, the outermost first; `undefined` for an id that is not ours. */
export function listReceivedFolders(sessionId: string): readonly string[] | undefined {
  return SESSION_ID.test(sessionId) ? [HOST_FOLDER, RECEIVED_FOLDER, sessionId] : undefined;
}

/** Returns the folder that the tools of that conversation may read although it is in the host's folder. */
export function findReceivedFolder(workspaceDir: string, sessionId: string): string | undefined {
  const folders = listReceivedFolders(sessionId);
  return folders === undefined ? undefined : join(workspaceDir, ...folders);
}

/** What fetches files that people sent. */
export interface AttachmentSource {
  readonly limits: AttachmentsConfig;
  /**
   * Returns what fetches files there; `none` if the channel has none, `undefined` while the account is not connected.
   */
  findFiles(address: Address): FilesAbility | "none" | undefined;
  /**
   * Resolves when the account there runs or its first attempt has failed: a turn may continue before its channel does.
   */
  whenTried(address: Address): Promise<void>;
}

export interface ReceivedPlace {
  /** Absolute. */
  readonly workspaceDir: string;
  /** Below it, the outermost first; created if they are missing. */
  readonly folders: readonly string[];
  /** Checked: one segment of a path. */
  readonly name: string;
}

export interface ReceivedFile {
  /** Relative to the workspace, with `/`. */
  readonly shownPath: string;
  readonly sizeBytes: number;
}

/** Finds the file of an earlier call. */
export async function findReceived({ workspaceDir, folders, name }: ReceivedPlace): Promise<ReceivedFile | undefined> {
  const folder = await openFolders(workspaceDir, folders);
  const found = await findStats(join(folder, name));
  return found?.isFile() ? { shownPath: [...folders, name].join("/"), sizeBytes: found.size } : undefined;
}

/**
 * Writes a file in chunks: it is there completely or not at all, and never exceeds its limit. `part` makes the name of
 * the unfinished file unique to a call; a later attempt of the same call replaces it. Throws a `ToolFailure` for a file
 * over the limit, and the error of `body`. Always ends `body`.
 */
export async function writeReceived(
  place: ReceivedPlace,
  body: ReadableStream<Uint8Array>,
  limits: { readonly limitBytes: number; readonly part: string },
): Promise<ReceivedFile> {
  try {
    return await writeWhole(place, body, limits);
  } catch (error) {
    // A stream that has failed rejects here with the same error.
    await body.cancel(error).catch(() => undefined);
    throw error;
  }
}

async function writeWhole(
  { workspaceDir, folders, name }: ReceivedPlace,
  body: ReadableStream<Uint8Array>,
  { limitBytes, part }: { readonly limitBytes: number; readonly part: string },
): Promise<ReceivedFile> {
  const folder = await openFolders(workspaceDir, folders);
  const partPath = join(folder, `${name}.${part}.part`);
  try {
    await rm(partPath, { force: true });
    const sizeBytes = await writeNew(partPath, body, limitBytes);
    await rename(partPath, join(folder, name));
    await syncFolder(folder);
    return { shownPath: [...folders, name].join("/"), sizeBytes };
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  }
}

async function openFolders(workspaceDir: string, folders: readonly string[]): Promise<string> {
  let folder = await realpath(workspaceDir);
  for (const name of folders) {
    const inner = await openOwnFolder(folder, name);
    if (inner === undefined) {
      throw new ToolFailure("permission", `${name} in the workspace is a link or no folder; tell the operator.`);
    }
    folder = inner;
  }
  return folder;
}

/** Creates the file exclusively. Detects a folder that became a link before anything is written. */
async function writeNew(path: string, body: ReadableStream<Uint8Array>, limitBytes: number): Promise<number> {
  const file = await open(path, "wx", FILE_MODE);
  try {
    if ((await realpath(path)) !== path) throw new ToolFailure("permission", "its folder was replaced by a link.");
    const size = await writeChunks(body, file, limitBytes);
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

/** Counts the bytes itself and ignores the announced size; leaving the loop cancels the rest. */
async function writeChunks(body: ReadableStream<Uint8Array>, file: FileHandle, limitBytes: number): Promise<number> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limitBytes) throw buildTooLarge(limitBytes);
    // Unlike `write`, writes all of it.
    await file.writeFile(chunk);
  }
  return size;
}

export function buildTooLarge(limitBytes: number): ToolFailure {
  const sentence = `it is larger than the ${limitBytes} bytes that are left for it here; ask for a smaller one.`;
  return new ToolFailure("resource", sentence);
}

/**
 * Removes files that were saved before a time, in milliseconds since the epoch; an agent that still needs one saves it
 * again. Leaves a link in the place of a folder alone.
 */
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
  // A new folder may be waiting for its first file.
  if (left === 0 && changedMs < before) await rmdir(folder);
}
