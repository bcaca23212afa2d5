import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Step } from "@banyan/plugin-sdk/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWritable } from "../src/database/open-database.ts";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { createStateFolder } from "../src/database/state-folder.ts";
import { createStepRunner } from "../src/worker/step-runner.ts";
import { createTables } from "../src/worker/tables.ts";
import { adaKey, buildCommit, buildDelivery, buildEntries, buildReceive, buildSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** Notes each statement when it runs. */
class ListeningDatabase extends DatabaseSync {
  executed: string[] = [];

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    const note = () => this.executed.push(sql);
    return new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "run" || name === "get" || name === "all") note();
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
}

function createListeningSteps(): (step: Step) => readonly string[] {
  const stateDir = createTemporaryFolder();
  createStateFolder(stateDir);
  openWritable(stateDir, { synchronous: "normal" }).close();
  const database = new ListeningDatabase(`${stateDir}/banyan.db`);
  onTestFinished(() => database.close());
  const run = createStepRunner(database, createTables(database));
  return (step) => {
    database.executed = [];
    const { status } = run(step, 1);
    if (status !== "done") throw new Error(`${step.step} is ${status}`);
    return database.executed;
  };
}

/** A message to a session that stands, its turn, its answer. */
function listPlainSteps(): readonly Step[] {
  const { items, ...receive } = buildReceive("m2");
  const known = items.map(({ session: _, ...item }) => ({ ...item, knownRevision: 2 }));
  const turn = {
    epoch: 2,
    entries: buildEntries("second question", "second answer"),
    session: buildSession({ expectRevision: 2 }),
    deliveries: [buildDelivery("second.0", { sendingOwner: "owner", sessionKey: adaKey })],
  };
  return [
    { ...receive, items: known },
    // One count for items and deliveries: the first message took 1, its answer 2.
    buildCommit(3, turn),
    { step: "settle", id: "second.0", attempt: 1, outcome: { state: "sent", platformId: "1" } },
  ];
}

describe("a plain message", () => {
  test("costs the statements that it cost before there were runs, and none of them is about runs", () => {
    const execute = createListeningSteps();
    for (const step of [buildReceive("m1"), buildCommit(1)]) execute(step);
    const executed = listPlainSteps().map(execute);
    expect(executed.map((statements) => statements.length)).toEqual([6, 8, 1]);
    expect(executed.flat().filter((sql) => /\b(runs|timers|bindings|held)\b/.test(sql))).toEqual([]);
  });

  test("has a row in no index that came with runs", () => {
    const indexes = (...schema: string[]) => {
      const database = new DatabaseSync(":memory:");
      onTestFinished(() => database.close());
      database.exec(schema.join(";"));
      const rows = database
        .prepare(
          "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('items', 'deliveries', 'entries')",
        )
        .all();
      return rows.map(({ sql }) => String(sql));
    };
    const before = indexes(...SCHEMA_VERSIONS.slice(0, 3));
    const added = indexes(...SCHEMA_VERSIONS.slice(0, 4)).filter((sql) => !before.includes(sql));
    expect(added).toEqual(["CREATE INDEX deliveries_of_run ON deliveries (run_id) WHERE run_id IS NOT NULL"]);
  });
});
