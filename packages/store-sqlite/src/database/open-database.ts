import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/plugin-sdk/store";
import { checkSchema, migrateSchema } from "./schema.ts";
import { classifySqliteError, formatCause } from "./sqlite-error.ts";
import { createPrivateFile } from "./state-folder.ts";

/** Another program, such as the sqlite3 shell, may hold a write transaction for a moment. */
const BUSY_TIMEOUT_MS = 5_000;
/** 64 MiB of log between checkpoints: pages that every batch touches are written back once; recovery stays below a second. */
const CHECKPOINT_PAGES = 16_000;

export const LOST_CURE =
  "stop, find out what removes files there, and put them back, or restore the newest file of the folder backups";

export interface WriterPragmas {
  readonly synchronous: "full" | "normal";
  readonly maxPages?: number;
}

const noFaultPoint: FaultPoint = () => undefined;

export function getDatabasePath(stateDir: string): string {
  return join(stateDir, "banyan.db");
}

/** The one writing connection; brings the schema up to date. Throws a `StoreError`. */
export function openWritable(
  stateDir: string,
  pragmas: WriterPragmas,
  faultPoint: FaultPoint = noFaultPoint,
): DatabaseSync {
  const path = getDatabasePath(stateDir);
  createPrivateFile(path);
  for (const beside of [`${path}-wal`, `${path}-shm`]) if (existsSync(beside)) createPrivateFile(beside);
  return openChecked(path, false, (database) => {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = ${pragmas.synchronous === "full" ? "FULL" : "NORMAL"}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.exec("PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -65536");
    migrateSchema(database, path, faultPoint);
    if (pragmas.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${Math.trunc(pragmas.maxPages)}`);
  });
}

/** A connection that never writes, beside the writer or without one. Throws a `StoreError`. */
export function openReadOnly(stateDir: string): DatabaseSync {
  const path = getDatabasePath(stateDir);
  return openChecked(path, true, (database) => checkSchema(database, path));
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
    const message = `opening ${path}: the file is damaged or no database (${cause}); restore the newest file of the folder backups beside it`;
    return new StoreError("corrupt", message, { cause: error });
  }
  const message = `opening ${path}: ${cause}; check that the file exists and that this user may write it and its folder`;
  return new StoreError("unusable", message, { cause: error });
}
