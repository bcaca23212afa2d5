import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/store";
import { BUSY_TIMEOUT_MS, moveLog, setSynchronous } from "../identity/generation.ts";
import { judgeStore } from "../identity/judge-store.ts";
import { setStoreAside } from "../identity/set-aside.ts";
import { writeMigrationBackup } from "../keeper/backup-file.ts";
import { formatRestoreCure } from "../keeper/list-backups.ts";
import { checkSchema, migrateSchema, readKnownSchemaVersion, SCHEMA_VERSION } from "./schema.ts";
import { classifySqliteError, formatCause } from "./sqlite-error.ts";
import { createPrivateFile } from "./state-folder.ts";

/** Where there is no store: `refuse` opens only an existing one; `replace` first sets aside the rest of a lost one. */
export type FreshStore = "create" | "refuse" | "replace";

export const LOST_CURE =
  "stop, and find out what removes files there; then start again, and where that is refused run banyan restore";

export interface WriterPragmas {
  readonly synchronous: "full" | "normal";
  readonly maxPages?: number;
  /** Default: `create`. */
  readonly fresh?: FreshStore;
}

const noFaultPoint: FaultPoint = () => undefined;

export function getDatabasePath(stateDir: string): string {
  return join(stateDir, "banyan.db");
}

/**
 * Opens the one writing connection and brings the schema up to date, after a backup. Throws a `StoreError`; `lost` where
 * the state directory had a store and this is another one.
 */
export function openWritable(
  stateDir: string,
  pragmas: WriterPragmas,
  faultPoint: FaultPoint = noFaultPoint,
): DatabaseSync {
  const path = getDatabasePath(stateDir);
  const { synchronous, maxPages, fresh = "create" } = pragmas;
  const foundVersion = prepareFolder(stateDir, fresh, faultPoint);
  createPrivateFile(path);
  for (const beside of [`${path}-wal`, `${path}-shm`]) if (existsSync(beside)) createPrivateFile(beside);
  return openChecked(path, false, (database) => {
    database.exec("PRAGMA journal_mode = WAL");
    setSynchronous(database, synchronous);
    // Only `moveLog` moves the log into the file: it raises the generation, too.
    database.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -65536");
    const parts = { database, stateDir, synchronous, faultPoint };
    if (foundVersion > 0 && foundVersion < SCHEMA_VERSION) {
      moveLog(parts, "rest");
      writeMigrationBackup(database, stateDir, foundVersion, faultPoint);
    }
    migrateSchema(database, faultPoint);
    moveLog(parts, "rest");
    if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${Math.trunc(maxPages)}`);
  });
}

/** Answers the schema's version of the existing store, 0 for none. Throws a `StoreError`. */
function prepareFolder(stateDir: string, fresh: FreshStore, faultPoint: FaultPoint): number {
  const path = getDatabasePath(stateDir);
  const judgement = fresh === "replace" ? judgeForReplacement(stateDir) : judge(stateDir);
  if (judgement.verdict === "open" && fresh !== "replace") return judgement.schemaVersion;
  if (judgement.verdict === "open") {
    const message = `opening ${path} with --new-store: its store can be opened; omit --new-store, or choose another state directory`;
    throw new StoreError("unusable", message);
  }
  if (judgement.verdict === "lost" && fresh !== "replace") throw buildLostError(stateDir, judgement.what);
  if (judgement.verdict === "create" && fresh === "refuse") throw buildLostError(stateDir, "banyan.db is gone");
  if (judgement.verdict === "lost") setStoreAside(stateDir, { withBackups: true, faultPoint });
  return 0;
}

function judge(stateDir: string): ReturnType<typeof judgeStore> {
  try {
    return judgeStore(stateDir);
  } catch (error) {
    throw buildOpenError(getDatabasePath(stateDir), error);
  }
}

/** A damaged database can be replaced as well. */
function judgeForReplacement(stateDir: string): ReturnType<typeof judgeStore> {
  try {
    return judge(stateDir);
  } catch (error) {
    if (error instanceof StoreError && error.code === "corrupt") return { verdict: "lost", what: error.message };
    throw error;
  }
}

/** Answers why a start would refuse the state directory as one that lost its store; `undefined`: it would not. */
export function findStoreLoss(stateDir: string): string | undefined {
  return findLoss(stateDir)?.message;
}

function findLoss(stateDir: string): StoreError | undefined {
  const judgement = judge(stateDir);
  return judgement.verdict === "lost" ? buildLostError(stateDir, judgement.what) : undefined;
}

function buildLostError(stateDir: string, what: string): StoreError {
  return new StoreError("lost", `opening the store in ${stateDir}: ${what}; ${formatRestoreCure(stateDir)}`);
}

/** A connection that never writes, beside the writer or without one. Throws a `StoreError`. */
export function openReadOnly(stateDir: string): DatabaseSync {
  const path = getDatabasePath(stateDir);
  return openChecked(path, true, (database) => {
    const loss = readKnownSchemaVersion(database) === 0 ? findLoss(stateDir) : undefined;
    if (loss !== undefined) throw loss;
    checkSchema(database, path);
  });
}

function openChecked(path: string, readOnly: boolean, prepare: (database: DatabaseSync) => void): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS });
    database.exec("PRAGMA temp_store = MEMORY");
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    throw buildOpenError(path, error);
  }
}

/** What keeps a database from being used, as the port's error. */
export function buildOpenError(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const cause = formatCause(error);
  if (classifySqliteError(error) === "corrupt") {
    const message = `opening ${path}: the file is damaged or no database (${cause}); ${formatRestoreCure(dirname(path))}`;
    return new StoreError("corrupt", message, { cause: error });
  }
  if (classifySqliteError(error) === "full") {
    const message = `opening ${path}: no space is left (${cause}); free some disk space, nothing is lost`;
    return new StoreError("full", message, { cause: error });
  }
  const message = `opening ${path}: ${cause}; check that the file exists and that this user may write it and its folder`;
  return new StoreError("unusable", message, { cause: error });
}
