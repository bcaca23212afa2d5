import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { migrateSchema } from "../database/schema.ts";
import { createReads } from "../reads/create-reads.ts";
import { BatchRunner } from "../worker/batch-runner.ts";
import { createStepRunner } from "../worker/step-runner.ts";
import { createTables, type Tables } from "../worker/tables.ts";

/**
 * A store's rows in the memory of this thread, with the code that writes and reads them in a gateway. It takes about
 * 2 MB that the garbage collector does not see, so close it, or lend it again.
 */
export interface InlineDatabase {
  readonly database: DatabaseSync;
  readonly batches: BatchRunner;
  /** Counts how often it was cleared. A store over an earlier life is closed. */
  readonly life: number;
  /** What a process keeps of the rows beside them is forgotten, as when another one opens the database. */
  forget(): void;
  /** Empties it: it is as on its first day, only its statements are kept. */
  clear(): void;
  close(): void;
}

export function openInlineDatabase(): InlineDatabase {
  return buildInlineDatabase(new DatabaseSync(":memory:"));
}

/** Over an empty database, or one with an earlier schema. */
export function buildInlineDatabase(database: DatabaseSync): InlineDatabase {
  migrateSchema(database, () => undefined);
  database.exec("PRAGMA temp_store = MEMORY; PRAGMA synchronous = OFF");
  const tables = createTables(database);
  const batches = new BatchRunner({
    database,
    steps: createStepRunner(database, tables),
    reads: createReads(database),
    faultPoint: () => undefined,
    onRollback: () => tables.routeRevision.forget(),
  });
  const clearRows = createClear(database);
  const forget = () => forgetRows(tables);
  let life = 0;
  return {
    database,
    batches,
    get life() {
      return life;
    },
    forget,
    clear() {
      life += 1;
      clearRows();
      forget();
    },
    close() {
      life += 1;
      if (database.isOpen) database.close();
    },
  };
}

/** Every cache outside the rows. */
function forgetRows({ sequence, routeRevision, sessions }: Tables): void {
  sequence.forget();
  routeRevision.forget();
  sessions.changedAgents.clear();
}

function createClear(database: DatabaseSync): () => void {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const firstRows = database.prepare("SELECT name, value FROM meta WHERE name <> 'store_id'").all();
  const insert = database.prepare("INSERT INTO meta (name, value) VALUES (?, ?)");
  const removals = names.map(({ name }) => `DELETE FROM ${String(name)};`).join("\n");
  return () => {
    if (database.isTransaction) database.exec("ROLLBACK");
    database.exec(`BEGIN; ${removals}`);
    for (const { name = null, value = null } of firstRows) insert.run(name, value);
    insert.run("store_id", randomUUID());
    database.exec("COMMIT");
  };
}

export interface DatabaseLender {
  lend(): InlineDatabase;
  /** What its borrower left is removed, and the stores over it are closed. Does nothing with one that is not lent. */
  takeBack(data: InlineDatabase): void;
}

/** Lends databases to stores that come one after another: one that was cleared costs less than a new one. */
export function createDatabaseLender(): DatabaseLender {
  const free = new Set<InlineDatabase>();
  return {
    lend() {
      const [data = openInlineDatabase()] = free;
      free.delete(data);
      return data;
    },
    takeBack(data) {
      if (free.has(data)) return;
      data.clear();
      free.add(data);
    },
  };
}
