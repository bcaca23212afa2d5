import { closeSync, constants, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/store";
import { DELIVERY_STATE } from "./database/code.ts";
import { readNumber } from "./database/column.ts";
import { takeLock } from "./database/lock.ts";
import { getDatabasePath } from "./database/open-database.ts";
import { formatCause } from "./database/sqlite-error.ts";
import { createStateFolder } from "./database/state-folder.ts";
import { readIdFile, type StoreIdentity, syncPath, writeIdFile } from "./identity/id-file.ts";
import { buildImmutableUrl, readDatabaseIdentity, readIdentity } from "./identity/read-identity.ts";
import { setStoreAside } from "./identity/set-aside.ts";
import { getBackupFolder, listBackupPaths } from "./keeper/list-backups.ts";

export interface RestoreOptions {
  readonly stateDir: string;
  /** A backup's name, or the path of a database file, such as a replaced one. Default: the newest backup. */
  readonly backup?: string | undefined;
  readonly faultPoint?: FaultPoint;
}

export interface RestoredStore {
  /** The file that was copied. */
  readonly from: string;
  readonly generation: number;
  readonly sessions: number;
  /** The folder with the previous files; absent: there were none. */
  readonly replaced?: string;
}

const ALL_PAGES = 2 ** 31 - 1;

/**
 * Replaces the database with a checked copy of a backup, while no gateway runs. The copy is complete before any file is
 * moved, and the replaced files are kept. After a death in between, a start refuses the state as an interrupted restore
 * until this is called again. Throws a `StoreError`.
 */
export async function restoreSqliteStore(options: RestoreOptions): Promise<RestoredStore> {
  const { faultPoint = () => undefined } = options;
  const stateDir = resolve(options.stateDir);
  createStateFolder(stateDir);
  const lock = takeLock(stateDir);
  try {
    const from = resolveBackup(stateDir, options.backup);
    const copy = `${getDatabasePath(stateDir)}.restoring`;
    const { storeId, generation, sessions } = await makeCopy(from, copy, findGeneration(stateDir));
    writeIdFile(stateDir, { storeId, generation }, { isRestoring: true, faultPoint });
    const replaced = setStoreAside(stateDir, { withBackups: false, faultPoint });
    faultPoint("store.restore.before");
    renameSync(copy, getDatabasePath(stateDir));
    syncPath(stateDir);
    faultPoint("store.restore.after");
    writeIdFile(stateDir, { storeId, generation }, { faultPoint });
    return { from, generation, sessions, ...(replaced === undefined ? {} : { replaced }) };
  } finally {
    lock.release();
  }
}

function resolveBackup(stateDir: string, given: string | undefined): string {
  const paths = listBackupPaths(stateDir, Date.now());
  const found = given === undefined ? paths.at(-1) : (paths.find((path) => basename(path) === given) ?? resolve(given));
  if (found !== undefined && statSync(found, { throwIfNoEntry: false })?.isFile() === true) return found;
  const what = given === undefined ? "there is no backup" : `there is no backup or file ${given}`;
  const cure =
    paths.length === 0
      ? `${getBackupFolder(stateDir)} is empty: name a database file from elsewhere`
      : '"banyan backup list" shows all';
  throw new StoreError("unusable", `restoring ${stateDir}: ${what}; ${cure}`);
}

/** Nothing of a copy that is refused stays. */
async function makeCopy(from: string, copy: string, current: number): Promise<PreparedCopy> {
  removeCopy(copy);
  try {
    await copyDatabase(from, copy);
    return prepareCopy(from, copy, current);
  } catch (error) {
    removeCopy(copy);
    throw error;
  }
}

function removeCopy(copy: string): void {
  for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${copy}${end}`, { force: true });
}

/** Includes the content of its own log, where it has one. */
async function copyDatabase(from: string, copy: string): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  closeSync(openSync(copy, O_CREAT | O_EXCL | O_WRONLY, 0o600));
  try {
    const hasLog = existsSync(`${from}-wal`) && readDatabaseIdentity(from).found === "store";
    const database = new DatabaseSync(hasLog ? from : buildImmutableUrl(from), { readOnly: true });
    try {
      await backup(database, copy, { rate: ALL_PAGES });
    } finally {
      database.close();
    }
  } catch (error) {
    throw buildRefusal(from, error);
  }
}

/** The highest generation that this state directory has had, as far as it can still be read. */
function findGeneration(stateDir: string): number {
  const idFile = readIdFile(stateDir);
  return Math.max(readGeneration(getDatabasePath(stateDir)), idFile.found === "identity" ? idFile.generation : 0);
}

/** 0 for a damaged or missing database: it will be replaced. */
function readGeneration(path: string): number {
  try {
    const found = readDatabaseIdentity(path);
    return found.found === "store" ? found.generation : 0;
  } catch {
    return 0;
  }
}

interface PreparedCopy extends StoreIdentity {
  readonly sessions: number;
}

/** Checks the whole copy, and sets its generation above its own and `current`. */
function prepareCopy(from: string, copy: string, current: number): PreparedCopy {
  try {
    const database = new DatabaseSync(copy);
    try {
      database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL");
      const found = database.prepare("PRAGMA integrity_check(3)").all();
      const damage = found.map((row) => String(row.integrity_check).replaceAll("\n", ", ")).join(", ");
      if (damage !== "ok") throw new Error(`it is damaged (${damage})`);
      const identity = readIdentity(database);
      if (identity.found !== "store") throw new Error("not a Banyan database");
      const generation = Math.max(identity.generation, current) + 1;
      adoptCopy(database, from, generation);
      const sessions = readNumber(database.prepare("SELECT count(*) AS sessions FROM sessions").get()?.sessions);
      return { storeId: identity.storeId, generation, sessions };
    } finally {
      database.close();
    }
  } catch (error) {
    throw buildRefusal(from, error);
  }
}

/** Deliveries that the backup holds as unsent may have been sent since: marks them as if their sender had died. */
function adoptCopy(database: DatabaseSync, from: string, generation: number): void {
  const set = database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)");
  database.exec("BEGIN IMMEDIATE");
  set.run("generation", generation);
  set.run("generation_base", generation);
  const { pending, sending } = DELIVERY_STATE;
  database.exec(`UPDATE deliveries SET state = ${sending}, owner = 'before the restore' WHERE state = ${pending}`);
  database
    .prepare("INSERT INTO audit (at, actor, action, detail) VALUES (?, 'command line', 'restore', ?)")
    .run(Date.now(), basename(from));
  database.exec("COMMIT");
}

function buildRefusal(from: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = `restoring ${from}: ${formatCause(error)}; nothing was changed, "banyan backup list" shows other backups`;
  return new StoreError("unusable", message, { cause: error });
}
