import type { ItemRow, Store } from "@banyan/store";
import {
  createDatabaseLender,
  createInlineStore,
  type InlineDatabase,
  type InlineStoreOptions,
} from "@banyan/store-sqlite/inline";
import { onTestFinished } from "vitest";

/** For all tests of a process, one after another: a new database takes six milliseconds, a cleared one less than one. */
const databases = createDatabaseLender();

/** Lends an empty database for the rest of the test, so that a second store can go on where the first one was closed. */
export function openTestData(): InlineDatabase {
  const data = databases.lend();
  onTestFinished(() => databases.takeBack(data));
  return data;
}

/** Returns it before the test ends, where a test opens many. The stores over it are closed. */
export function returnTestData(data: InlineDatabase): void {
  databases.takeBack(data);
}

/** The store that ships, on a database in memory. */
export function openTestStore(options: InlineStoreOptions = {}): Store {
  const { data = openTestData() } = options;
  return createInlineStore({ ...options, data });
}

/** All items, whatever became of them. They share their numbers with the deliveries. */
export async function listItems({ read }: Store): Promise<readonly ItemRow[]> {
  const items: ItemRow[] = [];
  for (let seq = 1; seq <= 50; seq += 1) {
    const item = await read.item(seq);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** Removes a session's record alone, as no step does it. */
export function removeSession({ database }: InlineDatabase, key: string): void {
  database.prepare("DELETE FROM sessions WHERE key = ?").run(key);
}

/** Archives a session whatever is at work in it, as no step does it. */
export function archiveSession({ database }: InlineDatabase, key: string): void {
  const { changes } = database.prepare("UPDATE sessions SET archived_at = 1 WHERE key = ?").run(key);
  if (changes !== 1) throw new Error(`${key} was archived: it is not there`);
}
