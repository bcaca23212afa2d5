import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteReader } from "@banyan/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

describe("a reader of a state directory", () => {
  test("sees what a running gateway commits, without its lock", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    const reader = openSqliteReader(stateDir);
    onTestFinished(() => reader.close());
    expect(await reader.read.counts()).toMatchObject({ sessions: 0 });
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildAppend("e1"));
    expect(await reader.read.session(adaKey)).toMatchObject({ revision: 1 });
    expect(await reader.read.entries({ sessionId: "ada-1", limit: 5 })).toHaveLength(1);
  });

  test("works when no gateway runs, keeps none from starting, and can be closed twice", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await store.commit(buildWriteSession("w1"));
    await store.close();
    const reader = openSqliteReader(stateDir);
    expect(await reader.read.sessions({ limit: 5 })).toHaveLength(1);
    const again = await openTestStore({ stateDir });
    await again.commit(buildAppend("e1"));
    expect(await reader.read.entries({ sessionId: "ada-1", limit: 5 })).toHaveLength(1);
    reader.close();
    reader.close();
  });

  test("refuses a missing store and one of a newer Banyan with a sentence", () => {
    const stateDir = createTemporaryFolder();
    expect(() => openSqliteReader(stateDir)).toThrow(/banyan.db: .*check that the file exists/);
    const database = new DatabaseSync(join(stateDir, "banyan.db"));
    database.exec("PRAGMA user_version = 3");
    database.close();
    expect(() => openSqliteReader(stateDir)).toThrow(/schema has version 3, this program knows up to 2/);
  });
});
