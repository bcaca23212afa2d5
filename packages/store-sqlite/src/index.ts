/** The store in one SQLite file, with group commit, and the readable layout beside it. */

export { findSqliteHolder } from "./database/lock.ts";
export { findStoreLoss } from "./database/open-database.ts";
export { type ExportOptions, exportReadableLayout } from "./export-layout.ts";
export { type Backup, countBackupSessions, formatRestoreCure, listBackups } from "./keeper/list-backups.ts";
export { findSqliteDamage } from "./keeper/quick-check.ts";
export { openSqliteReader, type SqliteReader } from "./open-sqlite-reader.ts";
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";
export { type RestoredStore, type RestoreOptions, restoreSqliteStore } from "./restore-sqlite-store.ts";
