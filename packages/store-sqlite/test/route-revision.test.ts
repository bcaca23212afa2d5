import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SetLinksStep, Step } from "@banyan/plugin-sdk/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWritable } from "../src/database/open-database.ts";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { createReads } from "../src/reads/create-reads.ts";
import { BatchRunner } from "../src/worker/batch-runner.ts";
import { createStepRunner } from "../src/worker/step-runner.ts";
import { createTables } from "../src/worker/tables.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildReceive } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const audit = { actor: "operator", action: "link", detail: "" };

function buildLinks(routeRevision: number, peer: string): SetLinksStep {
  return { step: "set_links", routeRevision, writes: [{ channel: "test", peer, person: "p" }], audit };
}

/** The writing thread's inside; a step of this owner fails after all before it in its batch were written. */
function createBatches(failingOwner: string) {
  const database = openWritable(createTemporaryFolder(), { synchronous: "normal" });
  onTestFinished(() => database.close());
  const tables = createTables(database);
  const run = createStepRunner(database, tables);
  const steps = (step: Step, nowMs: number) => {
    if (step.step === "recover" && step.owner === failingOwner) throw new Error("a fault of the program");
    return run(step, nowMs);
  };
  const onRollback = () => tables.routeRevision.forget();
  const reads = createReads(database);
  return new BatchRunner({ database, steps, reads, faultPoint: () => undefined, onRollback });
}

describe("the route revision that the writer keeps in memory", () => {
  test("falls back with a batch that was taken back, and grows once when it is done again one by one", () => {
    const batches = createBatches("bad");
    const [linked, failed] = batches.run([buildLinks(0, "ada"), { step: "recover", owner: "bad" }], 1);
    expect(linked).toEqual({ value: { status: "done" } });
    expect(failed).toHaveProperty("error.code", "unusable");
    const [stale, next, routes] = batches.run(
      [buildLinks(0, "bob"), buildLinks(1, "bob"), { read: "routes", args: [] }],
      2,
    );
    expect(stale).toEqual({ value: { status: "refused", reason: "stale_route" } });
    expect(next).toEqual({ value: { status: "done" } });
    expect(routes).toHaveProperty("value.revision", 2);
  });

  test("is what it was when the store is opened again", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openTestStore({ stateDir, readable: false });
    await first.commit(buildLinks(0, "ada"));
    await first.close();
    const second = await openTestStore({ stateDir, readable: false });
    expect(await second.commit({ ...buildReceive("m1"), routeRevision: 0 })).toMatchObject({ reason: "stale_route" });
    expect(await second.commit({ ...buildReceive("m1"), routeRevision: 1 })).toMatchObject({ status: "done" });
  });
});

test("a database of the first version is brought up to date, and nothing in it changes", async () => {
  const stateDir = createTemporaryFolder();
  const old = new DatabaseSync(join(stateDir, "banyan.db"));
  old.exec(`${SCHEMA_VERSIONS[0]}; PRAGMA user_version = 1; INSERT INTO meta VALUES ('store_id', 'old');
    INSERT INTO sessions VALUES (1, '${adaKey}', 'ada-1', 'main', 'ada-1.jsonl', 4, 5, '{}');
    INSERT INTO transcripts VALUES (1, 'ada-1', '${adaKey}', 'main', 'ada-1.jsonl')`);
  old.close();
  const store = await openTestStore({ stateDir, readable: false });
  expect(await store.read.session(adaKey)).toMatchObject({ revision: 4, updatedAtMs: 5 });
  expect(await store.read.routes()).toEqual({ revision: 0, approved: [], links: [], chatMoves: [], bindings: [] });
  expect(await store.commit(buildLinks(0, "ada"))).toEqual({ status: "done" });
});
