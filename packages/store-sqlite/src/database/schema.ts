import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { FaultPoint } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/plugin-sdk/store";
import { readNumber } from "./column.ts";
import { SCHEMA_VERSIONS } from "./schema-versions.ts";

export const SCHEMA_VERSION: number = SCHEMA_VERSIONS.length;

/** Brings a database to this program's version, each version in a transaction of its own. */
export function migrateSchema(database: DatabaseSync, faultPoint: FaultPoint): void {
  for (let version = readKnownSchemaVersion(database); version < SCHEMA_VERSION; version += 1) {
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(SCHEMA_VERSIONS[version] ?? "");
      if (version === 0) database.prepare("INSERT INTO meta (name, value) VALUES ('store_id', ?)").run(randomUUID());
      database.exec(`PRAGMA user_version = ${version + 1}`);
      faultPoint("store.migration.before");
      database.exec("COMMIT");
      faultPoint("store.migration.after");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }
}

/** For readers, which never migrate. */
export function checkSchema(database: DatabaseSync, path: string): void {
  const found = readKnownSchemaVersion(database);
  if (found === SCHEMA_VERSION) return;
  throw new StoreError(
    "unusable",
    `reading ${path}: its schema has version ${found}, this program reads ${SCHEMA_VERSION}; start the gateway once, it brings the database up to date`,
  );
}

/** Reads the version of a database that this program can read or migrate. Throws `newer_schema` for any other. */
export function readKnownSchemaVersion(database: DatabaseSync): number {
  const found = readNumber(database.prepare("PRAGMA user_version").get()?.user_version);
  if (found <= SCHEMA_VERSION) return found;
  throw new StoreError(
    "newer_schema",
    `opening ${database.location() ?? "a database"}: its schema has version ${found}, this program knows up to ${SCHEMA_VERSION}; install the newer Banyan that wrote it, or restore a backup from before the update (banyan backup list)`,
  );
}
