import { chmodSync, closeSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { makePrivateFolder } from "../database/private-file.ts";
import { lowerCopy } from "../identity/generation.ts";
import { syncPath } from "../identity/id-file.ts";
import { formatBackupName, getBackupFolder, isBeforeMigration, listBackupPaths } from "./list-backups.ts";

/** Covers the last hours; older states are left to the machine's own backups. */
const KEPT_BACKUPS = 4;
/** Made before a migration: kept separately, so that hours with a new version do not remove the way back. */
const KEPT_MIGRATION_BACKUPS = 2;

/** A copy that is being written; it becomes a backup with `finishBackup`. */
export interface BegunBackup {
  readonly stateDir: string;
  readonly path: string;
  /** Exists and is empty. */
  readonly partial: string;
  readonly nowMs: number;
}

export function beginBackup(stateDir: string, nowMs: number, beforeSchema?: number): BegunBackup {
  const folder = getBackupFolder(stateDir);
  makePrivateFolder(folder);
  for (const name of readdirSync(folder)) if (name.endsWith(".part")) rmSync(join(folder, name));
  const path = join(folder, formatBackupName(nowMs, beforeSchema));
  const partial = `${path}.part`;
  closeSync(openSync(partial, "wx", 0o600));
  return { stateDir, path, partial, nowMs };
}

/** Makes a complete copy a backup, durably, and removes the oldest ones. Answers its path. */
export function finishBackup({ stateDir, path, partial, nowMs }: BegunBackup, faultPoint: FaultPoint): string {
  adjustCopy(partial);
  chmodSync(partial, 0o600);
  syncPath(partial);
  faultPoint("store.backup.before");
  renameSync(partial, path);
  for (const folder of [getBackupFolder(stateDir), stateDir]) syncPath(folder);
  faultPoint("store.backup.after");
  const paths = listBackupPaths(stateDir, nowMs);
  const [before, regular] = [paths.filter(isBeforeMigration), paths.filter((other) => !isBeforeMigration(other))];
  for (const old of [...before.slice(0, -KEPT_MIGRATION_BACKUPS), ...regular.slice(0, -KEPT_BACKUPS)]) rmSync(old);
  return path;
}

/** Makes it older than its store, and a file that needs no log: it can be read in a folder that is not writable. */
function adjustCopy(path: string): void {
  const database = new DatabaseSync(path);
  try {
    // It is synced as a whole, and thrown away after a death.
    database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
    lowerCopy(database);
  } finally {
    database.close();
  }
}

/** Copies a database of an earlier version before its migration. Nothing else may write at the same time. */
export function writeMigrationBackup(
  database: DatabaseSync,
  stateDir: string,
  schemaVersion: number,
  faultPoint: FaultPoint,
): void {
  const begun = beginBackup(stateDir, Date.now(), schemaVersion);
  database.prepare("VACUUM INTO ?").run(begun.partial);
  finishBackup(begun, faultPoint);
}
