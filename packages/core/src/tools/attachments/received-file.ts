/** Where the files lie that an agent has asked for: in its workspace, in the host's folder, apart for each conversation. */

import { type FileHandle, lstat, open, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Address, FilesAbility } from "@banyan/plugin-sdk";
import type { AttachmentsConfig } from "../../config/config.ts";
import { ToolFailure } from "../failure.ts";
import { findStats, HOST_FOLDER, isFolder, openOwnFolder, syncFolder } from "../files/safe-open.ts";

export const RECEIVED_FOLDER = "received";
/** One segment of a path, so that no conversation's folder lies elsewhere. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The folders below the workspace, the outermost first; `undefined` for an id that is none of ours. */
export function listReceivedFolders(sessionId: string): readonly string[] | undefined {
  return SESSION_ID.test(sessionId) ? [HOST_FOLDER, RECEIVED_FOLDER, sessionId] : undefined;
}

/** What the tools of that conversation may read although it lies in the host's folder. */
export function findReceivedFolder(workspaceDir: string, sessionId: string): string | undefined {
  const folders = listReceivedFolders(sessionId);
  return folders === undefined ? undefined : join(workspaceDir, ...folders);
}

/** Writes a file to disk as it comes. It stands there whole or not at all, and never holds more than its limit. */

const FILE_MODE = 0o600;

/** What fetches files that people sent. */
export interface AttachmentSource {
  readonly limits: AttachmentsConfig;
  /** What fetches files there: `none` where the channel has none; `undefined` while the account is not connected. */
  findFiles(address: Address): FilesAbility | "none" | undefined;
  /** Resolves when the account there runs or its first try has failed: a turn may go on before its channel does. */
  whenTried(address: Address): Promise<void>;
}

export interface ReceivedPlace {
  /** Absolute. */
  readonly workspaceDir: string;
  /** Below it, the outermost first; made where they are missing. */
  readonly folders: readonly string[];
  /** Checked: one segment of a path. */
  readonly name: string;
}

export interface ReceivedFile {
  /** Relative to the workspace, with `/`. */
  readonly shownPath: string;
  readonly sizeBytes: number;
}

/** The file as an earlier call saved it. */
export async function findReceived({ workspaceDir, folders, name }: ReceivedPlace): Promise<ReceivedFile | undefined> {
  const folder = await openFolders(workspaceDir, folders);
  const found = await findStats(join(folder, name));
  return found?.isFile() ? { shownPath: [...folders, name].join("/"), sizeBytes: found.size } : undefined;
}

/**
 * `part` tells this call's half-written file from that of another one; a later attempt of the same call writes over it.
 * Throws a `ToolFailure` for a file over the limit, and what `body` fails with. It ends `body` however it ends itself.
 */
export async function writeReceived(
  place: ReceivedPlace,
  body: ReadableStream<Uint8Array>,
  limits: { readonly limitBytes: number; readonly part: string },
): Promise<ReceivedFile> {
  try {
    return await writeWhole(place, body, limits);
  } catch (error) {
    // One that has failed itself is over, and fails here with the same.
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

/** Exclusive: it writes over nothing. A folder that became a link on the way is found before anything is written. */
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

/** Counts by itself, whatever was said about the size; leaving the loop early cancels the rest. */
async function writeChunks(body: ReadableStream<Uint8Array>, file: FileHandle, limitBytes: number): Promise<number> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limitBytes) throw buildTooLarge(limitBytes);
    // Whole, which a single write need not be.
    await file.writeFile(chunk);
  }
  return size;
}

export function buildTooLarge(limitBytes: number): ToolFailure {
  const sentence = `it is larger than the ${limitBytes} bytes that are left for it here; ask for a smaller one.`;
  return new ToolFailure("resource", sentence);
}

/** Removes files that agents have saved long ago; who still wants one saves it again. */

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
