import { closeSync, constants, fsyncSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { openPrivate } from "../database/private-file.ts";
import { writeAll } from "../projector/line-writer.ts";

/** The identity of a store, and how often it was started or moved its log into the database file. */
export interface StoreIdentity {
  readonly storeId: string;
  readonly generation: number;
}

/** `unreadable`: the file exists, so there was a store, but its identity is unknown. */
export type FoundIdFile =
  | { readonly found: "absent" }
  | { readonly found: "unreadable" }
  | ({ readonly found: "identity"; readonly isRestoring: boolean } & StoreIdentity);

export const ID_FILE = "store.json";

/** Reads the identity file next to the database. */
export function readIdFile(stateDir: string): FoundIdFile {
  let text: string;
  try {
    text = readFileSync(join(stateDir, ID_FILE), "utf8");
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    return { found: isAbsent ? "absent" : "unreadable" };
  }
  return parseIdFile(text) ?? { found: "unreadable" };
}

/**
 * Writes the identity file next to the database, durably. It is never ahead of the database, which would make the next
 * start fail: a start commits its generation first; a restore uses `isRestoring` to announce a new database.
 */
export function writeIdFile(
  stateDir: string,
  { storeId, generation }: StoreIdentity,
  { isRestoring = false, faultPoint }: { readonly isRestoring?: boolean; readonly faultPoint: FaultPoint },
): void {
  const path = join(stateDir, ID_FILE);
  const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
  const fd = openPrivate(`${path}.tmp`, O_WRONLY | O_CREAT | O_TRUNC);
  try {
    writeAll(fd, Buffer.from(`${JSON.stringify({ storeId, generation, ...(isRestoring ? { isRestoring } : {}) })}\n`));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  faultPoint("store.id_file.before");
  renameSync(`${path}.tmp`, path);
  syncPath(stateDir);
  faultPoint("store.id_file.after");
}

/** Makes a file's content, or a folder's names, survive a power loss. */
export function syncPath(path: string): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function parseIdFile(text: string): FoundIdFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || !("storeId" in value) || !("generation" in value))
    return undefined;
  const { storeId, generation } = value;
  if (typeof storeId !== "string" || typeof generation !== "number" || !Number.isSafeInteger(generation)) {
    return undefined;
  }
  return { found: "identity", storeId, generation, isRestoring: "isRestoring" in value && value.isRestoring === true };
}
