import { statSync } from "node:fs";
import { backup } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { getDatabasePath, openReadOnly } from "../database/open-database.ts";
import { beginBackup, finishBackup } from "./backup-file.ts";
import { listBackupPaths } from "./list-backups.ts";

/** The file's own time may be slightly later than the data that was read for it. */
const CLOCK_SLACK_MS = 60_000;
/** All pages at once: with smaller pieces every commit in between would restart the copy. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies the database to `backups/` and removes the oldest copies. The copy is made on a separate thread and blocks no
 * writer. `undefined`: nothing changed since the newest copy, or that is younger than `minAgeMs`.
 */
export async function writeBackup(
  stateDir: string,
  minAgeMs: number,
  nowMs: number,
  faultPoint: FaultPoint = () => undefined,
): Promise<string | undefined> {
  const newest = listBackupPaths(stateDir, nowMs).at(-1);
  if (newest !== undefined && !isDue(stateDir, newest, minAgeMs, nowMs)) return undefined;
  const begun = beginBackup(stateDir, nowMs);
  const database = openReadOnly(stateDir);
  try {
    await backup(database, begun.partial, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
  return finishBackup(begun, faultPoint);
}

function isDue(stateDir: string, newest: string, minAgeMs: number, nowMs: number): boolean {
  const backupAtMs = statSync(newest).mtimeMs;
  const ageMs = nowMs - backupAtMs;
  if (ageMs < -CLOCK_SLACK_MS) return true;
  if (ageMs < minAgeMs) return false;
  const path = getDatabasePath(stateDir);
  return [path, `${path}-wal`].some((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > backupAtMs);
}
