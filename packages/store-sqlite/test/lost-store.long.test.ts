import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "@banyan/store";
import { findStoreLoss, openSqliteStore, type SqliteStoreOptions } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

interface IdFile {
  readonly storeId: string;
  readonly generation: number;
}

const readIds = (stateDir: string): IdFile => JSON.parse(readFileSync(join(stateDir, "store.json"), "utf8"));

function readGeneration(path: string): unknown {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    return database.prepare("SELECT value FROM meta WHERE name = 'generation'").get()?.value;
  } finally {
    database.close();
  }
}

async function refuse(stateDir: string, options: Partial<SqliteStoreOptions> = {}): Promise<StoreError> {
  const outcome = await openSqliteStore({ stateDir, ...options }).then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  if (outcome instanceof StoreError) return outcome;
  throw new Error("the store was opened");
}

/** A state directory as a killed gateway leaves it: what its store wrote last is in the log alone. */
async function createKilled(): Promise<string> {
  const stateDir = createTemporaryFolder();
  const clock = createManualClock();
  const store = await openTestStore({ stateDir, clock });
  await store.commit(buildWriteSession("w1"));
  await store.projectNow();
  clock.advance(1_000);
  await store.commit(buildAppend("e1"));
  const killed = createTemporaryFolder();
  cpSync(stateDir, killed, { recursive: true });
  await store.close();
  return killed;
}

/** A state directory after an orderly stop. */
async function createStopped(): Promise<string> {
  const stateDir = createTemporaryFolder();
  const store = await openTestStore({ stateDir });
  await store.commit(buildWriteSession("w1"));
  await store.commit(buildAppend("e0"));
  await store.projectNow();
  await store.close();
  return stateDir;
}

async function expectAda(stateDir: string): Promise<void> {
  const store = await openTestStore({ stateDir });
  expect(await store.read.session(adaKey)).toMatchObject({ sessionId: "ada-1" });
  await store.close();
}

describe("a store's identity", () => {
  test("is in the database and in store.json, and each start raises the generation in both", async () => {
    const stateDir = await createStopped();
    const first = readIds(stateDir);
    expect(readGeneration(join(stateDir, "banyan.db"))).toBe(first.generation);
    await expectAda(stateDir);
    const second = readIds(stateDir);
    expect(second.storeId).toBe(first.storeId);
    expect(second.generation).toBeGreaterThan(first.generation);
    expect(readGeneration(join(stateDir, "banyan.db"))).toBe(second.generation);
    expect(findStoreLoss(stateDir)).toBeUndefined();
  });

  test("banyan.db has its tables at once, and what was stored as soon as the store has rested for a second", async () => {
    const stateDir = createTemporaryFolder();
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock });
    const count = () => {
      const copy = join(createTemporaryFolder(), "banyan.db");
      copyFileSync(join(stateDir, "banyan.db"), copy);
      const database = new DatabaseSync(copy, { readOnly: true });
      try {
        return database.prepare("SELECT count(*) AS sessions FROM sessions").get()?.sessions;
      } finally {
        database.close();
      }
    };
    await store.commit(buildWriteSession("w1"));
    expect(count()).toBe(0);
    clock.advance(999);
    await store.read.counts();
    expect(count()).toBe(0);
    clock.advance(1);
    await store.read.counts();
    expect(count()).toBe(1);
  });

  test("while a reader needs the log it stays, and is moved a second after the reader's end", async () => {
    const stateDir = createTemporaryFolder();
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock, readable: false });
    const reader = new DatabaseSync(join(stateDir, "banyan.db"), { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM sessions").get();
    await store.commit(buildWriteSession("w1"));
    const rest = async () => {
      clock.advance(1_000);
      await store.read.counts();
      return readIds(stateDir).generation;
    };
    const first = readIds(stateDir).generation;
    const blocked = await rest();
    expect(blocked).toBeGreaterThan(first);
    // Up to what the reader saw.
    expect(readGeneration(join(stateDir, "banyan.db"))).toBe(first);
    reader.close();
    const moved = await rest();
    expect(moved).toBeGreaterThan(blocked);
    expect(readGeneration(join(stateDir, "banyan.db"))).toBe(blocked);
    // Nothing is left to move.
    expect(await rest()).toBe(moved);
  });

  test("where the generation could not be raised for want of space, it is before the next step", async () => {
    const stateDir = createTemporaryFolder();
    const path = join(createTemporaryFolder(), "full.mjs");
    writeFileSync(
      path,
      `let passes = 0;
       export default (name) => {
         if (name !== "store.id_file.before" || (passes += 1) !== 2) return;
         throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
       };`,
    );
    const clock = createManualClock();
    const faultPointModule = pathToFileURL(path).href;
    const store = await openTestStore({ stateDir, clock, readable: false, faultPointModule });
    const first = readIds(stateDir).generation;
    await store.commit(buildWriteSession("w1"));
    clock.advance(1_000);
    await store.read.counts();
    expect(readIds(stateDir).generation).toBe(first);
    await store.commit(buildAppend("e1"));
    expect(readIds(stateDir).generation).toBeGreaterThan(first);
  });

  test("after a backup the log is in the database file, too", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, clock: createManualClock() });
    await store.commit(buildWriteSession("w1"));
    const before = readIds(stateDir).generation;
    await store.backUpNow();
    await store.read.counts();
    expect(readGeneration(join(stateDir, "banyan.db"))).toBe(before);
    expect(readIds(stateDir).generation).toBeGreaterThan(before);
  });
});

describe("a lost store is refused with what helps, and nothing of it changes", () => {
  const losses: readonly { what: string; lose: (stateDir: string) => void; says: RegExp }[] = [
    {
      what: "banyan.db without a table, as an old copy of a young store is",
      lose(stateDir) {
        for (const end of ["", "-wal", "-shm"]) rmSync(join(stateDir, `banyan.db${end}`), { force: true });
        const database = new DatabaseSync(join(stateDir, "banyan.db"));
        database.exec("PRAGMA journal_mode = WAL");
        database.close();
      },
      says: /banyan\.db is empty, but the directory has store\.json and agents\/ of a store/,
    },
    {
      what: "the log emptied",
      lose: (stateDir) => truncateSync(join(stateDir, "banyan.db-wal")),
      says: /banyan\.db is older than the store was/,
    },
    {
      what: "store.json unreadable and banyan.db removed",
      lose(stateDir) {
        writeFileSync(join(stateDir, "store.json"), "{");
        rmSync(join(stateDir, "banyan.db"));
      },
      says: /banyan\.db is missing, but the directory has store\.json, /,
    },
    {
      what: "all but the layout removed",
      lose(stateDir) {
        for (const name of readdirSync(stateDir))
          if (name !== "agents") rmSync(join(stateDir, name), { recursive: true });
      },
      says: /banyan\.db is missing, but the directory has agents\/ of a store/,
    },
  ];
  test.each(losses)("$what", async ({ lose, says }) => {
    const stateDir = await createKilled();
    lose(stateDir);
    const sessions = join(stateDir, "agents", "main", "sessions.json");
    const before = readFileSync(sessions, "utf8");
    for (let start = 0; start < 2; start += 1) {
      const { code, message } = await refuse(stateDir);
      expect([code, message]).toEqual(["lost", expect.stringMatching(says)]);
      expect(message).toMatch(/; there is no backup in .*backups: .*, or "banyan start --new-store"/);
      expect(findStoreLoss(stateDir)).toBe(message);
    }
    expect(readFileSync(sessions, "utf8")).toBe(before);
  });

  test("where there is a backup, it is named", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, readable: false });
    await store.commit(buildWriteSession("w1"));
    const path = await store.backUpNow();
    await store.close();
    for (const name of readdirSync(stateDir)) if (name !== "backups") rmSync(join(stateDir, name), { recursive: true });
    const { message } = await refuse(stateDir);
    expect(message).toContain("banyan.db is missing, but the directory has backups/ of a store");
    expect(message).toContain(`run "banyan restore" for the newest backup (${path?.split("/").at(-1)})`);
  });

  test("the database of another store, also where store.json is gone", async () => {
    const stateDir = await createStopped();
    const other = await createStopped();
    copyFileSync(join(other, "banyan.db"), join(stateDir, "banyan.db"));
    expect((await refuse(stateDir)).message).toContain("banyan.db belongs to another store than store.json");
    rmSync(join(stateDir, "store.json"));
    expect((await refuse(stateDir)).message).toContain("banyan.db belongs to another store than the files in agents/");
  });

  test("an older copy of banyan.db, also where store.json is gone and a backup is there", async () => {
    const stateDir = await createStopped();
    const copy = join(createTemporaryFolder(), "banyan.db");
    copyFileSync(join(stateDir, "banyan.db"), copy);
    const store = await openTestStore({ stateDir });
    await store.backUpNow();
    await store.close();
    copyFileSync(copy, join(stateDir, "banyan.db"));
    expect((await refuse(stateDir)).message).toContain("banyan.db is older than the store was");
    rmSync(join(stateDir, "store.json"));
    expect((await refuse(stateDir)).message).toContain("banyan.db is older than the newest backup");
  });

  test("a copy over banyan.db alone, while the log of the killed gateway is still there", async () => {
    const stateDir = await createStopped();
    const copy = join(createTemporaryFolder(), "banyan.db");
    copyFileSync(join(stateDir, "banyan.db"), copy);
    const clock = createManualClock();
    const store = await openTestStore({ stateDir, clock });
    await store.commit(buildAppend("e1"));
    clock.advance(1_000);
    await store.commit(buildAppend("e2"));
    const killed = createTemporaryFolder();
    cpSync(stateDir, killed, { recursive: true });
    await store.close();
    copyFileSync(copy, join(killed, "banyan.db"));
    expect((await refuse(killed)).message).toContain("banyan.db-wal is the log of another banyan.db");
    expect(statSync(join(killed, "banyan.db-wal")).size).toBeGreaterThan(0);
  });
});

describe("what is no loss is opened", () => {
  test("a killed gateway's state directory", async () => {
    const stateDir = await createKilled();
    const store = await openTestStore({ stateDir });
    expect(await store.read.entries({ sessionId: "ada-1", limit: 5 })).toHaveLength(1);
  });

  test("a state directory that was copied elsewhere", async () => {
    const elsewhere = join(createTemporaryFolder(), "copy");
    cpSync(await createStopped(), elsewhere, { recursive: true });
    await expectAda(elsewhere);
  });

  test("banyan.db alone in a new folder, as a copy made while the gateway rested", async () => {
    const stateDir = createTemporaryFolder();
    copyFileSync(join(await createStopped(), "banyan.db"), join(stateDir, "banyan.db"));
    await expectAda(stateDir);
  });

  test("a database of an earlier version, which has neither a generation nor store.json", async () => {
    const stateDir = await createStopped();
    rmSync(join(stateDir, "store.json"));
    const database = new DatabaseSync(join(stateDir, "banyan.db"));
    database.exec("DELETE FROM meta WHERE name LIKE 'generation%'");
    database.close();
    await expectAda(stateDir);
    expect(readIds(stateDir).generation).toBeGreaterThan(0);
  });

  test("a store whose store.json was removed or torn", async () => {
    const stateDir = await createStopped();
    const { storeId } = readIds(stateDir);
    for (const harm of [
      () => rmSync(join(stateDir, "store.json")),
      () => truncateSync(join(stateDir, "store.json"), 9),
    ]) {
      harm();
      await expectAda(stateDir);
      expect(readIds(stateDir).storeId).toBe(storeId);
    }
  });

  test("a first start that was cut off anywhere", async () => {
    const stateDir = createTemporaryFolder();
    for (const name of ["banyan.lock", "banyan.pid", "token"]) writeFileSync(join(stateDir, name), "");
    writeFileSync(join(stateDir, "banyan.db"), "");
    mkdirSync(join(stateDir, "agents"));
    rmSync(join(stateDir, "banyan.lock"));
    const store = await openTestStore({ stateDir });
    expect(await store.read.counts()).toMatchObject({ sessions: 0 });
  });

  test.each([
    "store.generation.before",
    "store.generation.after",
    "store.id_file.before",
    "store.id_file.after",
    "store.migration.before",
    "store.migration.after",
  ])("a start that died at %s, the first one and a later one", async (point) => {
    const stateDir = createTemporaryFolder();
    const path = join(createTemporaryFolder(), "die.mjs");
    writeFileSync(path, `export default (name) => { if (name === "${point}") throw new Error("killed"); };`);
    const faultPointModule = pathToFileURL(path).href;
    expect((await refuse(stateDir, { faultPointModule })).message).toContain("killed");
    const store = await openTestStore({ stateDir });
    await store.commit(buildWriteSession("w1"));
    await store.close();
    if (!point.includes("migration")) {
      expect((await refuse(stateDir, { faultPointModule })).message).toContain("killed");
    }
    await expectAda(stateDir);
  });
});

describe("with --new-store", () => {
  test("what is left of a lost store is kept, and a new one begins", async () => {
    const stateDir = await createKilled();
    const { storeId } = readIds(stateDir);
    renameSync(join(stateDir, "banyan.db"), join(stateDir, "banyan.db.lost"));
    const store = await openTestStore({ stateDir, newStore: true });
    expect(await store.read.counts()).toMatchObject({ sessions: 0 });
    await store.close();
    expect(readIds(stateDir).storeId).not.toBe(storeId);
    const [kept = ""] = readdirSync(join(stateDir, "replaced"));
    const folder = join(stateDir, "replaced", kept);
    expect(readIds(folder).storeId).toBe(storeId);
    expect(readFileSync(join(folder, "agents", "main", "sessions.json"), "utf8")).toContain(adaKey);
    expect(existsSync(join(folder, "banyan.db-wal"))).toBe(true);
    await openTestStore({ stateDir });
  });

  test("a store that can be opened is refused and stays", async () => {
    const stateDir = await createStopped();
    const { code, message } = await refuse(stateDir, { newStore: true });
    expect([code, message]).toEqual(["unusable", expect.stringContaining("its store can be opened; omit --new-store")]);
    await expectAda(stateDir);
  });

  test("a death while the old store is moved leaves one that is refused, until it is called again", async () => {
    const stateDir = await createKilled();
    truncateSync(join(stateDir, "banyan.db"));
    const path = join(createTemporaryFolder(), "die.mjs");
    const files = 6;
    for (let pass = 1; pass <= files; pass += 1) {
      writeFileSync(
        path,
        `let left = ${pass}; export default (name) => { if (name === "store.aside.after") throw new Error("killed"); };`,
      );
      const faultPointModule = `${pathToFileURL(path).href}?${pass}`;
      const { message } = await refuse(stateDir, { newStore: true, faultPointModule });
      expect(message).toMatch(/killed/);
      if (!existsSync(join(stateDir, "store.json"))) break;
      expect(await refuse(stateDir)).toMatchObject({ code: "lost" });
    }
    const store = await openTestStore({ stateDir, newStore: true });
    expect(await store.read.counts()).toMatchObject({ sessions: 0 });
  });
});
