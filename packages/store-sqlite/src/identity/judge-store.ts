import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { findBackupIdentity, listBackupPaths } from "../keeper/list-backups.ts";
import { findWatermark } from "../projector/watermark.ts";
import { type FoundIdFile, ID_FILE, readIdFile, type StoreIdentity } from "./id-file.ts";
import { type FoundDatabase, readDatabaseIdentity } from "./read-identity.ts";

const DATABASE_FILE = "banyan.db";

/** What a start may do. `lost`: there was a store, and this is another one. `what` explains it in half a sentence. */
export type Judgement =
  | { readonly verdict: "open"; readonly schemaVersion: number }
  | { readonly verdict: "create" }
  | { readonly verdict: "lost"; readonly what: string };

/** What a store leaves in a state directory in addition to its database. */
interface Traces {
  readonly idFile: FoundIdFile;
  /** Both are searched only where `idFile` has no identity. */
  readonly newestBackup?: StoreIdentity | undefined;
  readonly layoutStoreId?: string | undefined;
  /** The names of all traces, as a person would find them. */
  readonly names: readonly string[];
}

/** Judges a state directory without writing. Throws SQLite's error for a damaged database, and `newer_schema`. */
export function judgeStore(stateDir: string): Judgement {
  // In this order: if a writer raises both concurrently, the database is ahead, as after a death between the two.
  const traces = findTraces(stateDir);
  return decideStore(readDatabaseIdentity(join(stateDir, DATABASE_FILE)), traces);
}

function decideStore(database: FoundDatabase, traces: Traces): Judgement {
  const { idFile, names } = traces;
  if (idFile.found === "identity" && idFile.isRestoring && (database.found !== "store" || !isOf(database, idFile))) {
    return { verdict: "lost", what: "a restore was cut off before its end" };
  }
  switch (database.found) {
    case "log of another":
      return { verdict: "lost", what: `${DATABASE_FILE}-wal is the log of another ${DATABASE_FILE}` };
    case "foreign":
      return { verdict: "lost", what: `${DATABASE_FILE} is the database of another program` };
    case "absent":
    case "empty": {
      if (names.length === 0) return { verdict: "create" };
      const how = database.found === "absent" ? "is missing" : "is empty";
      return {
        verdict: "lost",
        what: `${DATABASE_FILE} ${how}, but the directory has ${formatNames(names)} of a store`,
      };
    }
    case "store": {
      const what = findMismatch(database, traces);
      return what === undefined
        ? { verdict: "open", schemaVersion: database.schemaVersion }
        : { verdict: "lost", what: `${DATABASE_FILE} ${what}` };
    }
  }
}

type KnownDatabase = Extract<FoundDatabase, { found: "store" }>;

/**
 * The file next to the database decides. Without it (an earlier version wrote the store) the layout and the newest
 * backup identify the store.
 */
function findMismatch(database: KnownDatabase, { idFile, layoutStoreId, newestBackup }: Traces): string | undefined {
  if (idFile.found === "identity") {
    if (database.storeId !== idFile.storeId) return `belongs to another store than ${ID_FILE}`;
    if (database.generation >= idFile.generation) return undefined;
    return `is older than the store was (generation ${database.generation}, ${ID_FILE} has ${idFile.generation}): it was replaced, or its log ${DATABASE_FILE}-wal was removed`;
  }
  if (layoutStoreId !== undefined && layoutStoreId !== database.storeId) {
    return "belongs to another store than the files in agents/";
  }
  if (newestBackup === undefined) return undefined;
  if (newestBackup.storeId !== database.storeId) return "belongs to another store than the newest backup";
  return database.generation < newestBackup.generation ? "is older than the newest backup" : undefined;
}

/** Whether it is the same store, and not older. */
function isOf(database: KnownDatabase, idFile: Extract<FoundIdFile, { found: "identity" }>): boolean {
  return database.storeId === idFile.storeId && database.generation >= idFile.generation;
}

function findTraces(stateDir: string): Traces {
  const idFile = readIdFile(stateDir);
  const newestBackup = listBackupPaths(stateDir, Date.now()).at(-1);
  const layoutStoreId = findWatermark(stateDir)?.storeId;
  const names = [
    ...(idFile.found === "absent" ? [] : [ID_FILE]),
    // Next to a file with a header it may be the log of an interrupted first start.
    ...(isLogAlone(stateDir) ? [`${DATABASE_FILE}-wal`] : []),
    ...(newestBackup === undefined ? [] : ["backups/"]),
    ...(layoutStoreId === undefined && !hasLayout(stateDir) ? [] : ["agents/"]),
  ];
  if (idFile.found === "identity" || newestBackup === undefined) return { idFile, names, layoutStoreId };
  return { idFile, names, layoutStoreId, newestBackup: findBackupIdentity(newestBackup) };
}

function isLogAlone(stateDir: string): boolean {
  const [file, log] = ["", "-wal"].map((end) => findSize(join(stateDir, `${DATABASE_FILE}${end}`)));
  return log !== undefined && log > 0 && (file ?? 0) === 0;
}

function hasLayout(stateDir: string): boolean {
  const isOfLayout = (path: string) => basename(path) === "sessions.json" || listPaths(path).length > 0;
  return listPaths(join(stateDir, "agents")).some((agent) => listPaths(agent).some(isOfLayout));
}

function listPaths(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}

function findSize(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function formatNames(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length === 1 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
