import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { StoreError } from "@banyan/plugin-sdk/store";
import { listBackups, openSqliteStore, restoreSqliteStore, type SqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { SCHEMA_VERSIONS } from "../src/database/schema-versions.ts";
import { writeBackup } from "../src/keeper/backup.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildDelivery, buildReceive, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** A stopped store whose backup has one entry, and which has one more. Its time stands still: no other backup is made. */
async function createBackedUp(): Promise<{ readonly stateDir: string; readonly backup: string }> {
  const stateDir = createTemporaryFolder();
  const store = await openTestStore({ stateDir, clock: createManualClock() });
  await store.commit(buildWriteSession("w1"));
  await store.commit(buildAppend("e1"));
  const backup = (await store.backUpNow()) ?? "";
  await store.commit(buildAppend("e2"));
  await store.projectNow();
  await store.close();
  return { stateDir, backup };
}

const countEntries = async (store: SqliteStore): Promise<number> =>
  (await store.read.entries({ sessionId: "ada-1", limit: 9 })).length;

async function openAndCount(stateDir: string): Promise<number> {
  const store = await openTestStore({ stateDir });
  const count = await countEntries(store);
  await store.close();
  return count;
}

describe("restoring a backup", () => {
  test("takes the newest one, keeps what it replaces, and the next start opens it", async () => {
    const { stateDir, backup } = await createBackedUp();
    const layout = join("agents", "main", "sessions", "ada-1.jsonl");
    const before = readFileSync(join(stateDir, layout), "utf8");
    const restored = await restoreSqliteStore({ stateDir });
    expect(restored).toMatchObject({ from: backup, sessions: 1 });
    expect(await openAndCount(stateDir)).toBe(1);
    const { replaced = "" } = restored;
    expect(readFileSync(join(replaced, layout), "utf8")).toBe(before);
    expect(await restoreSqliteStore({ stateDir, backup: join(replaced, "banyan.db") })).toMatchObject({ sessions: 1 });
    expect(await openAndCount(stateDir)).toBe(2);
  });

  test("by its name, by a path, and into an empty folder", async () => {
    const { stateDir, backup } = await createBackedUp();
    expect(await restoreSqliteStore({ stateDir, backup: basename(backup) })).toMatchObject({ from: backup });
    const elsewhere = join(createTemporaryFolder(), "new");
    const restored = await restoreSqliteStore({ stateDir: elsewhere, backup });
    expect(restored).not.toHaveProperty("replaced");
    expect(await openAndCount(elsewhere)).toBe(1);
  });

  test("cures each loss, and the generation is above all before", async () => {
    for (const lose of [
      (stateDir: string) => rmSync(join(stateDir, "banyan.db")),
      (stateDir: string) => truncateSync(join(stateDir, "banyan.db")),
      (stateDir: string) => truncateSync(join(stateDir, "banyan.db"), 8_192),
      (stateDir: string) => writeFileSync(join(stateDir, "banyan.db"), "no database ".repeat(1_000)),
    ]) {
      const { stateDir } = await createBackedUp();
      const { generation } = JSON.parse(readFileSync(join(stateDir, "store.json"), "utf8"));
      lose(stateDir);
      await expect(openSqliteStore({ stateDir })).rejects.toThrow(
        /run "banyan restore" for the newest backup \(banyan-/,
      );
      expect((await restoreSqliteStore({ stateDir })).generation).toBeGreaterThan(generation);
      expect(await openAndCount(stateDir)).toBe(1);
    }
  });

  test("takes the database as it is, where that is what is wanted", async () => {
    const { stateDir, backup } = await createBackedUp();
    copyFileSync(backup, join(stateDir, "banyan.db"));
    await expect(openSqliteStore({ stateDir })).rejects.toMatchObject({ code: "lost" });
    await restoreSqliteStore({ stateDir, backup: join(stateDir, "banyan.db") });
    expect(await openAndCount(stateDir)).toBe(1);
  });

  test("a copy of a killed gateway's folder is taken with its log", async () => {
    const clock = createManualClock();
    const first = createTemporaryFolder();
    const store = await openTestStore({ stateDir: first, clock });
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildAppend("e1"));
    const copy = createTemporaryFolder();
    cpSync(first, copy, { recursive: true });
    const stateDir = createTemporaryFolder();
    await restoreSqliteStore({ stateDir, backup: join(copy, "banyan.db") });
    expect(await openAndCount(stateDir)).toBe(1);
  });

  test("what waited to be sent when the backup was made is marked, since it may have been sent after", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await store.commit(buildReceive("m1", { refused: "no", lane: "", deliveries: [buildDelivery("d1.0")] }));
    await store.backUpNow();
    await store.close();
    await restoreSqliteStore({ stateDir });
    const next = await openTestStore({ stateDir });
    await next.commit({ step: "recover", owner: "next" });
    expect(await next.read.delivery("d1.0")).toMatchObject({ state: "pending", maybeRepeated: true });
    expect(await next.read.audit({ limit: 5 })).toMatchObject([{ actor: "command line", action: "restore" }]);
  });
});

describe("a backup that is copied over banyan.db by hand", () => {
  test("is refused, also one that was made while the store rested", async () => {
    const stateDir = createTemporaryFolder();
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock });
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildAppend("e1"));
    clock.advance(1_000);
    const backup = (await store.backUpNow()) ?? "";
    await store.commit(buildAppend("e2"));
    await store.close();
    copyFileSync(backup, join(stateDir, "banyan.db"));
    await expect(openSqliteStore({ stateDir })).rejects.toThrow(/banyan\.db is older than the store was/);
  });

  /** A killed gateway's folder: `afterwards` happened between the backup and the last step. */
  async function createKilled(afterwards: (store: SqliteStore, clock: ManualClock) => Promise<void>): Promise<string> {
    const stateDir = createTemporaryFolder();
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock });
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildAppend("e1"));
    const backup = (await writeBackup(stateDir, 0, Date.now())) ?? "";
    await afterwards(store, clock);
    await store.commit(buildAppend("e3"));
    const killed = createTemporaryFolder();
    cpSync(stateDir, killed, { recursive: true });
    await store.close();
    copyFileSync(backup, join(killed, "banyan.db"));
    return killed;
  }

  test("is refused next to a later log of a killed gateway", async () => {
    const stateDir = await createKilled(async (store, clock) => {
      await store.commit(buildAppend("e2"));
      clock.advance(1_000);
    });
    await expect(openSqliteStore({ stateDir })).rejects.toThrow(/banyan\.db-wal is the log of another banyan\.db/);
  });

  test("is refused next to the log that it was made of, too", async () => {
    const stateDir = await createKilled(async () => undefined);
    await expect(openSqliteStore({ stateDir })).rejects.toThrow(/banyan\.db-wal is the log of another banyan\.db/);
  });
});

describe("restoring is refused, and nothing changes,", () => {
  async function refuse(stateDir: string, backup?: string): Promise<StoreError> {
    return restoreSqliteStore({ stateDir, backup }).then(
      () => expect.unreachable("it was restored"),
      (error: StoreError) => error,
    );
  }

  test("while a gateway runs", async () => {
    const { stateDir } = await createBackedUp();
    const store = await openTestStore({ stateDir });
    expect(await refuse(stateDir)).toMatchObject({ code: "locked", holderPid: process.pid });
    expect(await countEntries(store)).toBe(2);
  });

  test("for a backup that is damaged, is no database, or is not there", async () => {
    const { stateDir, backup } = await createBackedUp();
    const damaged = join(createTemporaryFolder(), "damaged.db");
    writeFileSync(damaged, readFileSync(backup).fill(0xab, 8_192, 40_960));
    expect((await refuse(stateDir, damaged)).message).toMatch(/^restoring .*damaged\.db: .*; nothing was changed/);
    writeFileSync(damaged, "no database ".repeat(1_000));
    expect((await refuse(stateDir, damaged)).message).toMatch(/file is not a database; nothing was changed/);
    const songs = new DatabaseSync(join(stateDir, "songs.db"));
    songs.exec("CREATE TABLE songs (id)");
    songs.close();
    expect((await refuse(stateDir, join(stateDir, "songs.db"))).message).toContain("not a Banyan database");
    expect((await refuse(stateDir, "nothing.db")).message).toMatch(
      /there is no backup or file nothing\.db; "banyan backup list"/,
    );
    expect((await refuse(createTemporaryFolder())).message).toMatch(
      /there is no backup; .*is empty: name a database file/,
    );
    expect(await openAndCount(stateDir)).toBe(2);
  });
});

describe("a restore that dies", () => {
  const points = ["store.id_file.before", "store.id_file.after", "store.aside.after", "store.restore.before"];
  test.each(points)("at %s is refused or had no effect; called again it is complete", async (point) => {
    const { stateDir } = await createBackedUp();
    const faultPoint = (name: string) => {
      if (name === point) throw new Error("killed");
    };
    await expect(restoreSqliteStore({ stateDir, faultPoint })).rejects.toThrow("killed");
    if (point === "store.id_file.before") expect(await openAndCount(stateDir)).toBe(2);
    else
      await expect(openSqliteStore({ stateDir })).rejects.toThrow(
        /a restore was cut off before its end; run "banyan restore"/,
      );
    await restoreSqliteStore({ stateDir });
    expect(await openAndCount(stateDir)).toBe(1);
  });

  test("after its last step is complete", async () => {
    const { stateDir } = await createBackedUp();
    const faultPoint = (name: string) => {
      if (name === "store.restore.after") throw new Error("killed");
    };
    await expect(restoreSqliteStore({ stateDir, faultPoint })).rejects.toThrow("killed");
    expect(await openAndCount(stateDir)).toBe(1);
  });
});

describe("backups", () => {
  test("are listed with their time, size, schema and generation; one that cannot be read is listed, too", async () => {
    const { stateDir, backup } = await createBackedUp();
    const damaged = join(stateDir, "backups", "banyan-2026-01-02T03-04-05.678Z.db");
    writeFileSync(damaged, "no database");
    const [first, second] = listBackups(stateDir);
    expect(first).toEqual({
      name: basename(damaged),
      path: damaged,
      madeAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      bytes: 11,
    });
    expect(second).toMatchObject({ path: backup, schemaVersion: expect.any(Number), generation: expect.any(Number) });
    expect(readdirSync(join(stateDir, "backups"))).toHaveLength(2);
  });

  test("the first one is made right after the start's check, then one an hour", async () => {
    const stateDir = createTemporaryFolder();
    const clock = createManualClock(Date.now());
    const store = await openTestStore({ stateDir, clock, readable: false });
    await store.commit(buildWriteSession("w1"));
    expect(existsSync(join(stateDir, "backups"))).toBe(false);
    clock.advance(5_000);
    await expect.poll(() => listBackups(stateDir).length).toBe(1);
  });

  test("one is made before a migration, is kept beside those of the last hours, and can be restored", async () => {
    const stateDir = createTemporaryFolder();
    const old = new DatabaseSync(join(stateDir, "banyan.db"));
    old.exec(`${SCHEMA_VERSIONS.slice(0, 2).join(";")}; PRAGMA user_version = 2; INSERT INTO meta VALUES ('store_id', 'old');
      INSERT INTO sessions VALUES (1, '${adaKey}', 'ada-1', 'main', 'ada-1.jsonl', 4, 5, '{}')`);
    old.close();
    const store = await openTestStore({ stateDir, readable: false });
    for (let count = 0; count < 5; count += 1) {
      await store.commit(buildReceive(`m${count}`));
      await store.backUpNow();
    }
    await store.close();
    const backups = listBackups(stateDir);
    expect(backups).toHaveLength(5);
    const [before] = backups;
    expect(before).toMatchObject({ name: expect.stringMatching(/-schema-2\.db$/), schemaVersion: 2 });
    await restoreSqliteStore({ stateDir, backup: before?.name });
    const again = await openTestStore({ stateDir });
    expect(await again.read.session(adaKey)).toMatchObject({ revision: 4 });
  });
});

describe("what is made durable", () => {
  const BACKUP = new URL("../src/keeper/backup.ts", import.meta.url).href;
  const INDEX = new URL("../src/index.ts", import.meta.url).href;

  /** The file operations of node in a process that runs this code, in their order. */
  function trace(code: string): readonly string[] {
    const folder = createTemporaryFolder();
    const path = join(folder, "trace.json");
    const script = join(folder, "traced.mjs");
    writeFileSync(script, code);
    const options = ["--trace-event-categories", "node.fs.sync", "--trace-event-file-pattern", path];
    const { status, stderr } = spawnSync(process.execPath, [...options, script], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    const { traceEvents }: { traceEvents: { name: string; ph: string }[] } = JSON.parse(readFileSync(path, "utf8"));
    return traceEvents.flatMap(({ name, ph }) => (ph === "B" ? [name.replace("fs.sync.", "")] : []));
  }

  test("a backup is synced before it gets its name, and its folder after", async () => {
    const { stateDir } = await createBackedUp();
    const call = `import { writeBackup } from ${JSON.stringify(BACKUP)};
      await writeBackup(${JSON.stringify(stateDir)}, 0, Date.now() + 1_000);`;
    const done = trace(call).filter((name) => name === "fsync" || name === "rename");
    expect(done).toEqual(["fsync", "rename", "fsync", "fsync"]);
    expect(listBackups(stateDir)).toHaveLength(2);
  });

  test("store.json is synced before it gets its name, and its folder after; so is what a restore moves", async () => {
    const { stateDir } = await createBackedUp();
    const call = `import { restoreSqliteStore } from ${JSON.stringify(INDEX)};
      await restoreSqliteStore({ stateDir: ${JSON.stringify(stateDir)} });`;
    const done = trace(call).filter((name) => name === "fsync" || name === "rename");
    expect(done.slice(0, 3)).toEqual(["fsync", "rename", "fsync"]);
    expect(done.slice(-5)).toEqual(["fsync", "fsync", "fsync", "rename", "fsync"]);
  });

  test.each([
    { asked: {}, level: 2 },
    { asked: { synchronous: "full" as const }, level: 2 },
    { asked: { synchronous: "normal" as const }, level: 1 },
  ])("steps of a store that is opened with $asked are synced at level $level", async ({ asked, level }) => {
    const stateDir = createTemporaryFolder();
    const report = join(stateDir, "report");
    const module = join(stateDir, "look.mjs");
    writeFileSync(
      module,
      `import { writeFileSync } from "node:fs";
       export default () => undefined;
       export function prepareDatabase(database) {
         writeFileSync(${JSON.stringify(report)}, String(database.prepare("PRAGMA synchronous").get().synchronous));
       }`,
    );
    const store = await openSqliteStore({ stateDir, faultPointModule: pathToFileURL(module).href, ...asked });
    await store.close();
    expect(readFileSync(report, "utf8")).toBe(String(level));
  });
});
