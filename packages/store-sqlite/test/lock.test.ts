import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findSqliteHolder } from "@banyan/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { createTemporaryFolder } from "./state-folder.ts";

test("the holder of a state directory is found by its pid while it runs", async () => {
  const stateDir = createTemporaryFolder();
  expect(findSqliteHolder(stateDir)).toBeUndefined();
  const store = await openTestStore({ stateDir, readable: false });
  expect(findSqliteHolder(stateDir)).toEqual({ pid: process.pid });
  await store.close();
  expect(findSqliteHolder(stateDir)).toBeUndefined();
});

test("commands that look for the holder at the same time do not take each other for it", async () => {
  const stateDir = createTemporaryFolder();
  await (await openTestStore({ stateDir, readable: false })).close();
  const other = new DatabaseSync(join(stateDir, "banyan.lock"));
  onTestFinished(() => other.close());
  other.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  expect(findSqliteHolder(stateDir)).toBeUndefined();
});
