import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readNumber } from "../database/column.ts";
import { buildImmutableUrl, readFileIdentity, type StoredIdentity } from "../identity/read-identity.ts";

/** A copy of the database in `backups/`. */
export interface Backup {
  readonly name: string;
  readonly path: string;
  /** From its name, which does not change when the file is copied. */
  readonly madeAtMs: number;
  readonly bytes: number;
  /** Absent: the file is damaged, or of a newer Banyan. */
  readonly schemaVersion?: number;
  readonly generation?: number;
}

const BACKUP_NAME = /^banyan-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)(?:-schema-\d+)?\.db$/;

const BEFORE_MIGRATION = /-schema-\d+\.db$/;

export function getBackupFolder(stateDir: string): string {
  return join(stateDir, "backups");
}

/** `beforeSchema`: made before a database of that version was brought up to date. */
export function formatBackupName(atMs: number, beforeSchema?: number): string {
  const time = new Date(atMs).toISOString().replaceAll(":", "-");
  return `banyan-${time}${beforeSchema === undefined ? "" : `-schema-${beforeSchema}`}.db`;
}

export function isBeforeMigration(path: string): boolean {
  return BEFORE_MIGRATION.test(path);
}

/**
 * The paths of all backups, the newest last. Names contain the time, so they sort by age. Names from the future, which
 * a clock that was set back since has left, come first: they are removed before the true ones, and do not prevent a new
 * one.
 */
export function listBackupPaths(stateDir: string, nowMs: number): readonly string[] {
  const folder = getBackupFolder(stateDir);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const paths = readdirSync(folder)
    .filter((name) => BACKUP_NAME.test(name))
    .sort()
    .map((name) => join(folder, name));
  const isOfFuture = (path: string) => readBackupTime(path) > nowMs;
  return [...paths.filter(isOfFuture), ...paths.filter((path) => !isOfFuture(path))];
}

/** All backups of a state directory, the newest last. Reads a page of each. */
export function listBackups(stateDir: string): readonly Backup[] {
  return listBackupPaths(stateDir, Date.now()).map((path) => {
    const identity = findBackupIdentity(path);
    return {
      name: basename(path),
      path,
      madeAtMs: readBackupTime(path),
      bytes: statSync(path).size,
      ...(identity === undefined ? {} : { schemaVersion: identity.schemaVersion, generation: identity.generation }),
    };
  });
}

/** `undefined`: the file cannot be read. */
export function countBackupSessions(path: string): number | undefined {
  try {
    const database = new DatabaseSync(buildImmutableUrl(path), { readOnly: true });
    try {
      return readNumber(database.prepare("SELECT count(*) AS sessions FROM sessions").get()?.sessions);
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

/** `undefined`: the file is damaged, or of a newer Banyan. */
export function findBackupIdentity(path: string): StoredIdentity | undefined {
  try {
    const found = readFileIdentity(path);
    return found.found === "store" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Formats the remedy for a damaged or lost database, as the end of a sentence. */
export function formatRestoreCure(stateDir: string): string {
  const newest = listBackupPaths(stateDir, Date.now()).at(-1);
  const instead = 'or "banyan start --new-store" to start empty; the old data is kept in replaced/';
  return newest === undefined
    ? `there is no backup in ${getBackupFolder(stateDir)}: put the original file back, use "banyan restore FILE" with a copy from elsewhere, ${instead}`
    : `run "banyan restore" for the newest backup (${basename(newest)}), ${instead}`;
}

function readBackupTime(path: string): number {
  const [, day, hours, minutes, seconds] = BACKUP_NAME.exec(basename(path)) ?? [];
  return Date.parse(`${day}${hours}:${minutes}:${seconds}`);
}
