import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { readNumber, readText } from "../database/column.ts";
import { classifySqliteError } from "../database/sqlite-error.ts";
import { writeIdFile } from "./id-file.ts";

/** Another program, such as the sqlite3 shell, may hold a write transaction for a moment. */
export const BUSY_TIMEOUT_MS = 5_000;

export interface GenerationParts {
  readonly database: DatabaseSync;
  readonly stateDir: string;
  readonly synchronous: "full" | "normal";
  readonly faultPoint: FaultPoint;
}

/** `done`; `blocked`: a part of the log stays there; `unmarked`: further steps would have the generation of the file. */
export type MoveLogEnd = "done" | "blocked" | "unmarked";

/**
 * Moves the log into the database file, then raises the generation, which begins the next log: a file without its log is
 * an older store. At a stop the generation is raised only where a part of the log stays.
 */
export function moveLog(parts: GenerationParts, at: "rest" | "stop"): MoveLogEnd {
  const isFirst = findMeta(parts.database, "generation_base") === undefined;
  // A log continues only a file that has a base: copies and backups have none.
  if (isFirst && !setBase(parts.database)) return "unmarked";
  const isMoved = checkpoint(parts.database);
  if (at === "stop" && isMoved) return "done";
  if (!raiseGeneration(parts, isMoved, isFirst)) return "unmarked";
  return isMoved ? "done" : "blocked";
}

/** Two, so that a copy is between two generations of its store. */
const RAISED_BY = 2;

function setBase(database: DatabaseSync): boolean {
  const generation = readNumber(findMeta(database, "generation") ?? 0);
  try {
    database.exec("BEGIN IMMEDIATE");
    setMeta(database, "generation", generation);
    setMeta(database, "generation_base", generation);
    database.exec("COMMIT");
    return true;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    if (!isForLater(error)) throw error;
    return false;
  }
}

/** Answers whether the whole log was moved: a reader or a full disk can prevent that. Throws on a broken connection. */
function checkpoint(database: DatabaseSync): boolean {
  database.exec("PRAGMA busy_timeout = 0");
  try {
    return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } catch (error) {
    if (isForLater(error)) return false;
    throw error;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Makes a copy of a database older than its store, which may have a further step at once. Without a base no log
 * continues it: a log contains pages that differ from the copy's.
 */
export function lowerCopy(copy: DatabaseSync): void {
  copy.exec(`BEGIN;
    UPDATE meta SET value = value - 1 WHERE name = 'generation';
    DELETE FROM meta WHERE name = 'generation_base';
    COMMIT`);
}

/**
 * Raises the database first, durably even where other steps are not, then the file. A death between the two leaves a
 * database that is ahead, which can be opened. Answers whether both were raised: a full disk can prevent that.
 */
function raiseGeneration(
  { database, stateDir, synchronous, faultPoint }: GenerationParts,
  isMoved: boolean,
  isFirst: boolean,
): boolean {
  const storeId = readText(findMeta(database, "store_id"));
  const current = readNumber(findMeta(database, "generation") ?? 0);
  const generation = current + RAISED_BY;
  faultPoint("store.generation.before");
  try {
    database.exec("PRAGMA synchronous = FULL; BEGIN IMMEDIATE");
    setMeta(database, "generation", generation);
    if (isMoved) setMeta(database, "generation_base", current);
    // The file has none.
    else if (isFirst) database.exec("DELETE FROM meta WHERE name = 'generation_base'");
    database.exec("COMMIT");
    faultPoint("store.generation.after");
    writeIdFile(stateDir, { storeId, generation }, { faultPoint });
    return true;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    if (!isForLater(error)) throw error;
    return false;
  } finally {
    setSynchronous(database, synchronous);
  }
}

/** `full`: a committed step survives a power loss. */
export function setSynchronous(database: DatabaseSync, synchronous: "full" | "normal"): void {
  database.exec(`PRAGMA synchronous = ${synchronous === "full" ? "FULL" : "NORMAL"}`);
}

function findMeta(database: DatabaseSync, name: string): SQLOutputValue | undefined {
  return database.prepare("SELECT value FROM meta WHERE name = ?").get(name)?.value;
}

function setMeta(database: DatabaseSync, name: string, value: number): void {
  database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)").run(name, value);
}

function isForLater(error: unknown): boolean {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return true;
  const failure = classifySqliteError(error);
  return failure === "busy" || failure === "full";
}
