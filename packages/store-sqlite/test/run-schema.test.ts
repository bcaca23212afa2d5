import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openWritable } from "../src/database/open-database.ts";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey } from "./sample.ts";
import { archiveSampleRun, buildReserve } from "./sample-run.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** A state directory as the third version left it: one session, two items, a delivery. */
function createThirdVersion(): string {
  const stateDir = createTemporaryFolder();
  const old = new DatabaseSync(join(stateDir, "banyan.db"));
  old.exec(`${SCHEMA_VERSIONS.slice(0, 3).join(";")}; PRAGMA user_version = 3;
    INSERT INTO meta VALUES ('store_id', 'old');
    INSERT INTO sessions VALUES (1, '${adaKey}', 'ada-1', 'main', 'ada-1.jsonl', 4, 5, '{}');
    INSERT INTO transcripts VALUES (1, 'ada-1', '${adaKey}', 'main', 'ada-1.jsonl');
    INSERT INTO lanes VALUES (1, '${adaKey}', 7, NULL, NULL, NULL, 2);
    INSERT INTO items VALUES (1, 1, 'd1', 'm1', 0, 2, 'test|one|ada', 1, 7, 4, NULL, 5, '{}');
    INSERT INTO items VALUES (2, 1, 'd2', 'm2', 0, 0, 'test|one|ada', 0, NULL, NULL, NULL, 6, '{}');
    INSERT INTO deliveries VALUES (3, 'x.0', 'x', 0, 1, 3, 'test', 'one', 'test|one|ada', 'test|one|ada', '${adaKey}', 1,
      6, 1, 0, NULL, 5, NULL, 'gone', NULL, 5, '{}')`);
  old.close();
  return stateDir;
}

test("a database of the third version is brought up to date, nothing in it changes, and it takes runs", async () => {
  const store = await openTestStore({ stateDir: createThirdVersion(), readable: false });
  const session = await store.read.session(adaKey);
  expect(session).toMatchObject({ revision: 4, updatedAtMs: 5 });
  expect(session).not.toHaveProperty("archivedAtMs");
  const [item] = await store.read.openItems({ lane: adaKey, limit: 10 });
  expect(item).toEqual({
    lane: adaKey,
    seq: 2,
    kind: "message",
    state: "waiting",
    address: "test|one|ada",
    attempt: 0,
    receivedAtMs: 6,
    body: "{}",
  });
  expect(await store.read.delivery("x.0")).not.toHaveProperty("runId");
  expect(await store.read.counts()).toMatchObject({ sessions: 1, waitingItems: 1, unfinishedRuns: 0 });
  expect(await store.commit({ step: "prune", olderThanMs: 0, runsOlderThanMs: 0, limit: 10 })).toMatchObject({
    removed: 1,
  });
  await archiveSampleRun(store, "r1");
  expect(await store.commit(buildReserve("r2"))).toMatchObject({ status: "done", run: { state: "reserved" } });
});

test("a migration that dies before its commit is done again", () => {
  const stateDir = createThirdVersion();
  const die = () => {
    throw new Error("killed");
  };
  expect(() => openWritable(stateDir, { synchronous: "normal" }, die)).toThrow("killed");
  const between = new DatabaseSync(join(stateDir, "banyan.db"));
  expect(between.prepare("PRAGMA user_version").get()?.user_version).toBe(3);
  expect(between.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'runs'").get()?.tables).toBe(0);
  between.close();
  const database = openWritable(stateDir, { synchronous: "normal" });
  onTestFinished(() => database.close());
  expect(database.prepare("SELECT count(*) AS runs FROM runs").get()?.runs).toBe(0);
});
