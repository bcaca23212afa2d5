import { DatabaseSync, type StatementSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWritable } from "../src/database/open-database.ts";
import { createStateFolder } from "../src/database/state-folder.ts";
import { createEntryFeed } from "../src/projector/entry-feed.ts";
import { createSessionsFileWriter } from "../src/projector/sessions-file.ts";
import { createReads } from "../src/reads/create-reads.ts";
import { listRunQueries } from "../src/reads/run-query.ts";
import { createStepRunner } from "../src/worker/step-runner.ts";
import { createTables } from "../src/worker/tables.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/**
 * A count for `status`, the look at the highest numbers when the store is opened, a list of all deliveries by `pos`, the
 * whole picture of routing, the deliveries of the runs that a list names, the receipts that a list names.
 */
const MAY_WALK = [
  /count\(\*\) FROM sessions/,
  /^SELECT max\(coalesce/,
  /WHERE\s+\(1 << state\)/,
  /UNION ALL SELECT 'link'/,
  /INDEXED BY deliveries_of_run WHERE run_id IN \(SELECT value FROM json_each/,
  /pos >> 10 = \? AND address = \? AND platform_id IN \(SELECT value FROM json_each/,
];
/** Indexes and tables that hold open work only, or, for an operator's rare word, what went wrong. */
const SHORT_WALK =
  / USING (COVERING )?INDEX (lanes_owned|deliveries_unsettled|deliveries_odd|items_waiting|held_by_lane)$/;

class RecordingDatabase extends DatabaseSync {
  readonly statements: string[] = [];

  override prepare(sql: string): StatementSync {
    this.statements.push(sql.trim());
    return super.prepare(sql);
  }
}

function recordStatements(stateDir: string): readonly string[] {
  openWritable(stateDir, { synchronous: "normal" }).close();
  const database = new RecordingDatabase(`${stateDir}/banyan.db`);
  onTestFinished(() => database.close());
  createStepRunner(database, createTables(database));
  createReads(database);
  createEntryFeed(database);
  createSessionsFileWriter(database, undefined);
  return [...database.statements, ...listRunQueries()];
}

function listSteps(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row.detail));
}

describe("no statement of the store", () => {
  test("walks through a table or sorts what an index has in order", () => {
    const stateDir = createTemporaryFolder();
    createStateFolder(stateDir);
    const statements = recordStatements(stateDir);
    const database = new DatabaseSync(`${stateDir}/banyan.db`);
    onTestFinished(() => database.close());
    expect(statements.length).toBeGreaterThan(50);
    const slow = statements
      .filter((sql) => !MAY_WALK.some((pattern) => pattern.test(sql)))
      .flatMap((sql) => listSteps(database, sql).map((step) => ({ sql, step })))
      .filter(({ step }) => /^SCAN|TEMP B-TREE/.test(step) && !SHORT_WALK.test(step));
    expect(slow).toEqual([]);
  });

  test("passes runs that have ended on its way to those that have not, or told ones on its way to the others", () => {
    const stateDir = createTemporaryFolder();
    createStateFolder(stateDir);
    const statements = recordStatements(stateDir);
    const database = new DatabaseSync(`${stateDir}/banyan.db`);
    onTestFinished(() => database.close());
    const asked = statements.filter((sql) => /state < 4|state = 4 AND settled_by IS NULL/.test(sql));
    expect(asked.length).toBeGreaterThan(20);
    const slow = asked
      .flatMap((sql) => listSteps(database, sql).map((step) => ({ sql, step })))
      .filter(({ step }) => / (runs|below) /.test(step) && !/ INDEX runs_(open|unsettled|through)/.test(step));
    expect(slow).toEqual([]);
  });
});
