import { copyFileSync, cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@banyan/plugin-sdk/store";
import { restoreSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { type FreshStore, openWritable } from "../src/database/open-database.ts";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { moveLog } from "../src/identity/generation.ts";
import { writeBackup } from "../src/keeper/backup.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** What a process leaves that is killed at a fault point: a copy of the state directory as it was there. */
interface Death {
  readonly point: string;
  readonly stateDir: string;
}

interface Witness {
  readonly deaths: Death[];
  faultPoint(name: string): void;
}

function watch(stateDir: string): Witness {
  const deaths: Death[] = [];
  return {
    deaths,
    faultPoint(point) {
      deaths.push({ point, stateDir: copyFolder(stateDir) });
    },
  };
}

function copyFolder(stateDir: string): string {
  const copy = createTemporaryFolder();
  cpSync(stateDir, copy, { recursive: true });
  return copy;
}

const open = (stateDir: string, faultPoint?: (name: string) => void, fresh?: FreshStore) =>
  openWritable(stateDir, { synchronous: "normal", ...(fresh === undefined ? {} : { fresh }) }, faultPoint);

function write(database: DatabaseSync, detail: string): void {
  database.prepare("INSERT INTO audit (at, actor, action, detail) VALUES (1, 'test', 'write', ?)").run(detail);
}

const read = (database: DatabaseSync): readonly unknown[] =>
  database
    .prepare("SELECT detail FROM audit WHERE actor = 'test' ORDER BY id")
    .all()
    .map(({ detail }) => detail);

/** What the next start finds, or why it refuses. */
function start(stateDir: string): readonly unknown[] | StoreError {
  try {
    const database = open(stateDir);
    const found = read(database);
    database.close();
    return found;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** A stopped store with these rows. */
function createStopped(...details: readonly string[]): string {
  const stateDir = createTemporaryFolder();
  const database = open(stateDir);
  for (const detail of details) write(database, detail);
  database.close();
  return stateDir;
}

/** A death at the first and at the last pass of each point. */
function drawDeaths({ deaths }: Witness): readonly Death[] {
  return deaths.filter(({ point }, at) => {
    const passes = deaths.flatMap((other, index) => (other.point === point ? [index] : []));
    return at === passes[0] || at === passes.at(-1);
  });
}

/** Each death leaves what a start opens complete; without its log it is complete, or refused as lost. */
function expectComplete(witness: Witness, expected: readonly string[], isBlocked = false): void {
  const deaths = drawDeaths(witness);
  expect(deaths.length).toBeGreaterThan(0);
  for (const { point, stateDir } of deaths) {
    const noLog = copyFolder(stateDir);
    const hasLog = existsSync(join(stateDir, "banyan.db-wal")) && statSync(join(stateDir, "banyan.db-wal")).size > 0;
    expect([point, start(stateDir)]).toEqual([point, expected]);
    // A second start finds what the first one has left.
    expect([point, start(stateDir)]).toEqual([point, expected]);
    // While a reader blocks the log, the file has a part of it until the generation is raised.
    if (!hasLog || (isBlocked && point !== "store.id_file.after")) continue;
    rmSync(join(noLog, "banyan.db-wal"));
    const found = start(noLog);
    if (found instanceof StoreError) expect([point, found.code]).toEqual([point, "lost"]);
    else expect([point, found]).toEqual([point, expected]);
  }
}

const namesOf = ({ deaths }: Witness): readonly string[] => [...new Set(deaths.map(({ point }) => point))];

describe("a kill leaves a store that opens with all that was stored", () => {
  test("at each point of a first start", () => {
    const stateDir = createTemporaryFolder();
    const witness = watch(stateDir);
    open(stateDir, witness.faultPoint).close();
    expect(namesOf(witness)).toEqual([
      "store.migration.before",
      "store.migration.after",
      "store.generation.before",
      "store.generation.after",
      "store.id_file.before",
      "store.id_file.after",
    ]);
    expectComplete(witness, []);
  });

  test("at each point of a start after a kill", () => {
    const stateDir = createStopped("one");
    const database = open(stateDir);
    write(database, "two");
    const killed = copyFolder(stateDir);
    database.close();
    const witness = watch(killed);
    open(killed, witness.faultPoint).close();
    expectComplete(witness, ["one", "two"]);
  });

  test("at each point of the move of the log, also while a reader blocks it", () => {
    const stateDir = createStopped("one");
    const database = open(stateDir);
    const witness = watch(stateDir);
    const parts = { database, stateDir, synchronous: "normal", faultPoint: witness.faultPoint } as const;
    write(database, "two");
    expect(moveLog(parts, "rest")).toBe("done");
    expectComplete(witness, ["one", "two"]);
    write(database, "three");
    const reader = new DatabaseSync(join(stateDir, "banyan.db"), { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM audit").get();
    write(database, "four");
    witness.deaths.length = 0;
    expect(moveLog(parts, "rest")).toBe("blocked");
    expectComplete(witness, ["one", "two", "three", "four"], true);
    // Steps after it are in the log alone.
    write(database, "five");
    const killed = { ...witness, deaths: [{ point: "a later step", stateDir: copyFolder(stateDir) }] };
    const noLog = copyFolder(stateDir);
    expectComplete(killed, ["one", "two", "three", "four", "five"]);
    rmSync(join(noLog, "banyan.db-wal"));
    expect(start(noLog)).toMatchObject({ code: "lost" });
    reader.close();
    database.close();
  });

  test("at each point of a migration, which has a backup", () => {
    const stateDir = createTemporaryFolder();
    const old = new DatabaseSync(join(stateDir, "banyan.db"));
    old.exec(
      `${SCHEMA_VERSIONS.slice(0, 2).join(";")}; PRAGMA user_version = 2; INSERT INTO meta VALUES ('store_id', 'old')`,
    );
    write(old, "one");
    old.close();
    const witness = watch(stateDir);
    open(stateDir, witness.faultPoint).close();
    const points = witness.deaths.map(({ point }) => point);
    expect(points).toContain("store.backup.after");
    expect(points.indexOf("store.backup.after")).toBeLessThan(points.indexOf("store.migration.before"));
    expectComplete(witness, ["one"]);
    // The backup over the database, next to the log of the killed migration.
    for (const { point, stateDir: killed } of witness.deaths) {
      const [backup] = existsSync(join(killed, "backups")) ? readdirSync(join(killed, "backups")) : [];
      if (backup === undefined || backup.endsWith(".part")) continue;
      const copied = copyFolder(killed);
      copyFileSync(join(killed, "backups", backup), join(copied, "banyan.db"));
      expect([point, start(copied)]).toEqual([point, expect.objectContaining({ code: "lost" })]);
    }
  });

  test("at each point of a backup", async () => {
    const stateDir = createStopped("one");
    const database = open(stateDir);
    write(database, "two");
    const witness = watch(stateDir);
    await writeBackup(stateDir, 0, Date.now(), witness.faultPoint);
    expect(namesOf(witness)).toEqual(["store.backup.before", "store.backup.after"]);
    database.close();
    expectComplete(witness, ["one", "two"]);
  });
});

describe("a kill leaves what the same command completes, and a start refuses or opens", () => {
  test("at each point of a restore", async () => {
    const stateDir = createStopped("one");
    const database = open(stateDir);
    await writeBackup(stateDir, 0, Date.now());
    write(database, "two");
    database.close();
    const witness = watch(stateDir);
    await restoreSqliteStore({ stateDir, faultPoint: witness.faultPoint });
    expect(namesOf(witness)).toEqual([
      "store.id_file.before",
      "store.id_file.after",
      "store.aside.before",
      "store.aside.after",
      "store.restore.before",
      "store.restore.after",
    ]);
    for (const { point, stateDir: killed } of witness.deaths) {
      const found = start(copyFolder(killed));
      if (point === "store.id_file.before") expect(found).toEqual(["one", "two"]);
      else if (point === "store.restore.after") expect(found).toEqual(["one"]);
      else expect([point, found]).toEqual([point, expect.objectContaining({ code: "lost" })]);
      if (found instanceof StoreError)
        expect(found.message).toMatch(/cut off before its end; run "banyan restore" for/);
      await restoreSqliteStore({ stateDir: killed });
      expect([point, start(killed)]).toEqual([point, ["one"]]);
    }
    expect(start(stateDir)).toEqual(["one"]);
  });

  test("at each point of a start with --new-store", () => {
    const stateDir = createStopped("one");
    const database = open(stateDir);
    write(database, "two");
    const lost = copyFolder(stateDir);
    database.close();
    truncateSync(join(lost, "banyan.db"));
    const witness = watch(lost);
    open(lost, witness.faultPoint, "replace").close();
    expect(namesOf(witness)).toEqual(expect.arrayContaining(["store.aside.before", "store.aside.after"]));
    for (const { point, stateDir: killed } of witness.deaths) {
      const found = start(copyFolder(killed));
      if (found instanceof StoreError) expect([point, found.code]).toEqual([point, "lost"]);
      else expect([point, found]).toEqual([point, []]);
      if (found instanceof StoreError) open(killed, undefined, "replace").close();
      expect([point, start(killed)]).toEqual([point, []]);
      const kept = readdirSync(join(killed, "replaced"), { recursive: true }).map(String);
      expect(kept.filter((name) => name.endsWith("banyan.db-wal"))).toHaveLength(1);
    }
  });
});
