/** Writes the files of a spawn to `<workspace>/.banyan/<runId>/` and removes them; repeatable, also after a crash. */
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { BanyanError } from "../../ports/errors.ts";
import { HOST_FOLDER, isFolder, openOwnFolder, syncFolder } from "../../tools/files/safe-open.ts";
import type { CheckedAttachment } from "./check-attachments.ts";

/** One segment of a path, so that no run's folder lies elsewhere. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const PART_SUFFIX = ".part";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export interface AttachmentPlace {
  /** Absolute. */
  readonly workspaceDir: string;
  readonly runId: string;
}

/** Whether a text can be the id of a run of ours; keys that others built may hold anything. */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/** Where the attachments of a run lie, below its workspace and with `/`: `.banyan/<runId>`. */
export function buildAttachmentsFolder(runId: string): string {
  if (!isRunId(runId)) throw new Error(`Building an attachments folder: ${JSON.stringify(runId)} is no run id.`);
  return `${HOST_FOLDER}/${runId}`;
}

/**
 * Writes the files and gives their folder, which stands whole or not at all; one that stands is left as it is. The names
 * must be checked. What is written outlives a power cut. Throws `attachments_unwritable`.
 */
export async function materializeAttachments(
  place: AttachmentPlace,
  attachments: readonly CheckedAttachment[],
): Promise<string> {
  const shown = buildAttachmentsFolder(place.runId);
  try {
    const workspaceDir = await realpath(place.workspaceDir);
    const host = await openHostFolder(workspaceDir);
    const folder = join(workspaceDir, shown);
    if (await isFolder(folder)) return folder;
    const part = `${folder}${PART_SUFFIX}`;
    // An earlier try that was cut off.
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { mode: FOLDER_MODE });
    for (const { name, bytes } of attachments) await writeNew(join(part, name), bytes);
    await syncFolder(part);
    await rename(part, folder);
    await syncFolder(host);
    return folder;
  } catch (cause) {
    if (cause instanceof BanyanError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unwritable(`${reason}; free the disk or correct the rights of the workspace`, { cause });
  }
}

/** Removes the folder of a run and what a cut-off try left of it. Nothing there is fine. */
export async function removeAttachments(place: AttachmentPlace): Promise<void> {
  const folder = join(place.workspaceDir, buildAttachmentsFolder(place.runId));
  // Behind a link lies nothing that was written here.
  if (!(await isFolder(join(place.workspaceDir, HOST_FOLDER)))) return;
  for (const path of [folder, `${folder}${PART_SUFFIX}`]) await rm(path, { recursive: true, force: true });
}

/** Makes the host's folder in a workspace; a link in its place is refused, for it may lead anywhere. */
async function openHostFolder(workspaceDir: string): Promise<string> {
  const host = await openOwnFolder(workspaceDir, HOST_FOLDER);
  if (host === undefined) throw unwritable(`${HOST_FOLDER} in the workspace is a link or no folder; remove it`);
  return host;
}

/** Exclusive: it writes over nothing. A folder that became a link on the way is found before anything is written. */
async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", FILE_MODE);
  try {
    if ((await realpath(path)) !== path) throw unwritable("their folder was replaced by a link; remove it");
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function unwritable(problem: string, options?: { readonly cause: unknown }): BanyanError {
  return new BanyanError("attachments_unwritable", `writing the attachments of a sub-agent: ${problem}`, options);
}
