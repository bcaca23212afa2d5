import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  applyRandomStep,
  createModelState,
  createSeededRandom,
  type ModelState,
  type RandomSource,
} from "@banyan/store/suite";
import { expect, test } from "vitest";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { ModelDesk } from "./model-desk.ts";
import { openTestStore } from "./open-store.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const STEPS_BEFORE = 400;
const STEPS_AFTER = 40;

/** What a program of before that version never wrote. */
const LATER: Readonly<Record<string, { readonly version: number; readonly rows: string }>> = {
  items: { version: 4, rows: "state = 5" },
  meta: { version: 2, rows: "name = 'route_revision'" },
};

type Rows = Readonly<Record<string, readonly object[]>>;

/** A state directory as a program of that version left it: all of a random life that its tables have a place for. */
async function createOldVersion(version: number, random: RandomSource, state: ModelState): Promise<string> {
  const desk = new ModelDesk();
  for (let step = 0; step < STEPS_BEFORE; step += 1) await applyRandomStep(random, state, desk);
  const [stateDir, present] = [createTemporaryFolder(), join(createTemporaryFolder(), "present.db")];
  desk.saveTo(present);
  desk.close();
  const old = new DatabaseSync(join(stateDir, "banyan.db"));
  old.exec(`${SCHEMA_VERSIONS.slice(0, version).join(";")}; PRAGMA user_version = ${version}; DELETE FROM meta;
    ATTACH '${present}' AS present`);
  for (const [table, columns] of listColumns(old)) {
    const later = LATER[table];
    const where = later !== undefined && version < later.version ? `WHERE NOT (${later.rows})` : "";
    old.exec(`INSERT INTO main.${table} (${columns.join()}) SELECT ${columns.join()} FROM present.${table} ${where}`);
  }
  old.close();
  return stateDir;
}

function listColumns(database: DatabaseSync): ReadonlyMap<string, readonly string[]> {
  const tables = database.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const columns = database.prepare("SELECT name FROM pragma_table_info(?, 'main')");
  return new Map(tables.map(({ name }) => [String(name), columns.all(String(name)).map((row) => String(row.name))]));
}

function readRows(stateDir: string, like?: ReadonlyMap<string, readonly string[]>) {
  const database = new DatabaseSync(join(stateDir, "banyan.db"), { readOnly: true });
  const columns = like ?? listColumns(database);
  const rows: Rows = Object.fromEntries(
    [...columns].map(([table, names]) => {
      const where = table === "meta" ? "WHERE name IN ('store_id', 'last_pos')" : "";
      return [table, database.prepare(`SELECT ${names.join()} FROM ${table} ${where} ORDER BY 1, 2`).all()];
    }),
  );
  database.close();
  return { columns, rows };
}

test.each(SCHEMA_VERSIONS.map((_, index) => index + 1))(
  "a database of version %i keeps every row it has, and goes on",
  async (version) => {
    const [random, state] = [createSeededRandom(version), createModelState()];
    const stateDir = await createOldVersion(version, random, state);
    const before = readRows(stateDir);
    expect(before.rows.sessions?.length).toBeGreaterThan(0);
    const first = await openTestStore({ stateDir, readable: false });
    await first.close();
    expect(readRows(stateDir, before.columns).rows).toEqual(before.rows);
    const store = await openTestStore({ stateDir, readable: false });
    const subject = { store, reopen: async () => undefined, dump: () => new Uint8Array(), recount: () => [] };
    for (let step = 0; step < STEPS_AFTER; step += 1) await applyRandomStep(random, state, subject);
  },
);
