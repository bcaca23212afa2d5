import { statSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "@banyan/store";
import { readNumber, readText } from "../database/column.ts";
import { readKnownSchemaVersion } from "../database/schema.ts";
import { classifySqliteError } from "../database/sqlite-error.ts";
import { BUSY_TIMEOUT_MS } from "./generation.ts";
import type { StoreIdentity } from "./id-file.ts";

/** The identity that a database holds. */
export interface StoredIdentity extends StoreIdentity {
  readonly schemaVersion: number;
  /** The generation of the database file that the log continues; `undefined`: of a copy or an earlier version. */
  readonly base: number | undefined;
}

/** `empty`: without a table, as a new file is. `foreign`: of another program. */
export type FoundDatabase =
  | { readonly found: "absent" }
  | { readonly found: "empty" }
  | { readonly found: "foreign" }
  | { readonly found: "log of another" }
  | ({ readonly found: "store" } & StoredIdentity);

/**
 * Reads which store a database file holds, without writing to it. Throws SQLite's error for a damaged file, and
 * `newer_schema`.
 */
export function readDatabaseIdentity(path: string): FoundDatabase {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { found: "absent" };
  // SQLite would remove the log next to an empty file, and with it the only trace of the store.
  if (stats.isFile() && stats.size === 0) return { found: "empty" };
  const whole = withDatabase(path, readIdentity);
  return whole.found === "store" && !isContinuation(path, whole) ? { found: "log of another" } : whole;
}

/** The same for a file without a log, such as a backup; nothing is written next to it. */
export function readFileIdentity(path: string): FoundDatabase {
  return withDatabase(buildImmutableUrl(path), readIdentity);
}

/** Builds the URL of a file that no process writes: SQLite searches for no log, and leaves none. */
export function buildImmutableUrl(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

/**
 * Whether the log continues the file next to it. If a backup was copied over the file alone, SQLite would apply pages
 * of the log to a database that they do not belong to.
 */
function isContinuation(path: string, { storeId, base, generation }: StoredIdentity): boolean {
  // An earlier version wrote the log, or a first start that died before its first step.
  if (base === undefined || base === generation) return true;
  let file: FoundDatabase;
  try {
    file = readFileIdentity(path);
  } catch (error) {
    // A process that died while it moved the log into the file leaves this state: the log is complete.
    if (classifySqliteError(error) === "corrupt") return true;
    throw error;
  }
  if (file.found !== "store" || file.base === undefined) return false;
  return file.storeId === storeId && file.generation >= base && file.generation <= generation;
}

function withDatabase<T>(path: string | URL, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** The same for an open connection. */
export function readIdentity(database: DatabaseSync): FoundDatabase {
  const schemaVersion = readKnownSchemaVersion(database);
  const tables = readNumber(database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()?.tables);
  if (tables === 0) return { found: "empty" };
  const ours = database.prepare(
    "SELECT count(*) AS columns FROM pragma_table_info('meta') WHERE name IN ('name', 'value')",
  );
  if (readNumber(ours.get()?.columns) !== 2) return { found: "foreign" };
  const storeId = readMeta(database, "store_id", "a text");
  if (storeId === undefined) return { found: "foreign" };
  const generation = readMeta(database, "generation", "a count");
  const base = readMeta(database, "generation_base", "a count");
  return {
    found: "store",
    storeId: readText(storeId),
    generation: generation === undefined ? 0 : readNumber(generation),
    base: base === undefined ? undefined : readNumber(base),
    schemaVersion,
  };
}

/** Of a value of `meta`, whose numbers are stored as they are bound: as REAL. */
const IS_COUNT = `typeof(value) IN ('integer', 'real') AND value = CAST(value AS INTEGER)
  AND value BETWEEN 0 AND ${2 ** 52}`;

/** Reads a value of the identity; a start refuses one that cannot be read. `undefined`: it is missing. */
function readMeta(database: DatabaseSync, name: string, what: "a text" | "a count"): SQLOutputValue | undefined {
  const isKnown = what === "a text" ? "typeof(value) = 'text'" : IS_COUNT;
  const row = database
    .prepare(`SELECT iif(${isKnown}, value, NULL) AS known, quote(value) AS shown FROM meta WHERE name = ?`)
    .get(name);
  if (row === undefined || row.known !== null) return row?.known;
  const shown = readText(row.shown).slice(0, 40);
  throw new StoreError(
    "unusable",
    `opening ${database.location() ?? "a database"}: the row ${name} of its table meta is not ${what}, but ${shown}; put back what was there, or restore a backup (banyan backup list)`,
  );
}
