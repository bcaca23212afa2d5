import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "@banyan/store-sqlite";
import { onTestFinished } from "vitest";

/** A store that is closed with its test. Without syncs: what a test proves of them is that they are asked for. */
export async function openTestStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const store = await openSqliteStore({ synchronous: "normal", ...options });
  onTestFinished(() => store.close());
  return store;
}
