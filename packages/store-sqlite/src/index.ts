/** The store in one SQLite file, with group commit, and the readable layout beside it. */
export { type ExportOptions, exportReadableLayout } from "./export-layout.ts";
export { openSqliteReader, type SqliteReader } from "./open-sqlite-reader.ts";
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";
