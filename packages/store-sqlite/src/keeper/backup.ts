import { chmodSync, closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { backup } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { getDatabasePath, openReadOnly } from "../database/open-database.ts";
import { makePrivateFolder } from "../database/private-file.ts";

/** The last hours; older states are a matter of the machine's own backups. */
const KEPT_BACKUPS = 4;
const BACKUP_NAME = /^banyan-.*\.db$/;
/** The file's own time may be a little ahead of what was read before it was written. */
const CLOCK_SLACK_MS = 60_000;
/** All pages at once: in smaller pieces every commit meanwhile would start the copy again. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies the database to `backups/` and removes the oldest copies. The copy is made on a thread of its own and stops no
 * writer. `undefined`: nothing changed since the newest copy, or that is younger than `minAgeMs`.
 */
export async function writeBackup(
  stateDir: string,
  minAgeMs: number,
  nowMs: number,
  faultPoint: FaultPoint = () => undefined,
): Promise<string | undefined> {
  const folder = join(stateDir, "backups");
  makePrivateFolder(folder);
  const newest = listBackups(folder, nowMs).at(-1);
  if (newest !== undefined && !isDue(stateDir, join(folder, newest), minAgeMs, nowMs)) return undefined;
  const path = join(folder, formatBackupName(nowMs));
  const partial = `${path}.part`;
  for (const name of readdirSync(folder)) if (name.endsWith(".part")) rmSync(join(folder, name));
  closeSync(openSync(partial, "wx", 0o600));
  const database = openReadOnly(stateDir);
  try {
    await backup(database, partial, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
  chmodSync(partial, 0o600);
  syncPath(partial);
  faultPoint("store.backup.before");
  renameSync(partial, path);
  faultPoint("store.backup.after");
  for (const old of listBackups(folder, nowMs).slice(0, -KEPT_BACKUPS)) rmSync(join(folder, old));
  return path;
}

/**
 * Names hold the time, so their order is that of age. Those of the future, which a clock that was set back since has
 * left, come first: they go before the true ones, and keep no new one from being made.
 */
function listBackups(folder: string, nowMs: number): string[] {
  const names = readdirSync(folder).filter((name) => BACKUP_NAME.test(name));
  const latest = formatBackupName(nowMs);
  return [...names.filter((name) => name > latest).sort(), ...names.filter((name) => name <= latest).sort()];
}

function formatBackupName(atMs: number): string {
  return `banyan-${new Date(atMs).toISOString().replaceAll(":", "-")}.db`;
}

function isDue(stateDir: string, newest: string, minAgeMs: number, nowMs: number): boolean {
  const backupAtMs = statSync(newest).mtimeMs;
  const ageMs = nowMs - backupAtMs;
  if (ageMs < -CLOCK_SLACK_MS) return true;
  if (ageMs < minAgeMs) return false;
  const path = getDatabasePath(stateDir);
  return [path, `${path}-wal`].some((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > backupAtMs);
}

function syncPath(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
