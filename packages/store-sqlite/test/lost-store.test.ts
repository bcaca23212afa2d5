import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findStoreLoss, openSqliteReader } from "@banyan/store-sqlite";
import { expect, test } from "vitest";
import { openWritable } from "../src/database/open-database.ts";
import { moveLog } from "../src/identity/generation.ts";
import { readFileIdentity } from "../src/identity/read-identity.ts";
import { writeBackup } from "../src/keeper/backup.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** A killed gateway's state directory, an old copy of its database, and a backup that was made before its last step. */
interface Killed {
  readonly stateDir: string;
  readonly copy: string;
  readonly backup: string;
}

function write(database: DatabaseSync): void {
  database.exec("INSERT INTO audit (at, actor, action, detail) VALUES (1, 'test', 'write', '')");
}

async function createKilled(): Promise<Killed> {
  const live = createTemporaryFolder();
  const copy = join(createTemporaryFolder(), "copy.db");
  openWritable(live, { synchronous: "normal" }).close();
  copyFileSync(join(live, "banyan.db"), copy);
  const database = openWritable(live, { synchronous: "normal" });
  write(database);
  const path = await writeBackup(live, 0, Date.now());
  moveLog({ database, stateDir: live, synchronous: "normal", faultPoint: () => undefined }, "rest");
  write(database);
  const stateDir = createTemporaryFolder();
  cpSync(live, stateDir, { recursive: true });
  database.close();
  return { stateDir, copy, backup: join(stateDir, "backups", basename(path ?? "")) };
}

const LOSSES: readonly { readonly what: string; lose(killed: Killed): void; readonly says: RegExp }[] = [
  {
    what: "banyan.db removed",
    lose: ({ stateDir }) => rmSync(join(stateDir, "banyan.db")),
    says: /banyan\.db is missing, but the directory has store\.json, banyan\.db-wal and backups\/ of a store/,
  },
  {
    what: "banyan.db and its log removed",
    lose({ stateDir }) {
      for (const end of ["", "-wal", "-shm"]) rmSync(join(stateDir, `banyan.db${end}`), { force: true });
    },
    says: /banyan\.db is missing, but the directory has store\.json and backups\/ of a store/,
  },
  {
    what: "banyan.db emptied",
    lose: ({ stateDir }) => truncateSync(join(stateDir, "banyan.db")),
    says: /banyan\.db is empty, but the directory has store\.json, /,
  },
  {
    what: "the log removed",
    lose: ({ stateDir }) => rmSync(join(stateDir, "banyan.db-wal")),
    says: /banyan\.db is older than the store was \(generation \d+, store\.json has \d+\): it was replaced, or its log/,
  },
  {
    what: "an older copy, without the log",
    lose({ stateDir, copy }) {
      rmSync(join(stateDir, "banyan.db-wal"));
      copyFileSync(copy, join(stateDir, "banyan.db"));
    },
    says: /banyan\.db is older than the store was/,
  },
  {
    what: "an older copy, without the log and store.json",
    lose({ stateDir, copy }) {
      for (const name of ["banyan.db-wal", "store.json"]) rmSync(join(stateDir, name));
      copyFileSync(copy, join(stateDir, "banyan.db"));
    },
    says: /banyan\.db is older than the newest backup/,
  },
  {
    what: "an older copy, next to the log",
    lose: ({ stateDir, copy }) => copyFileSync(copy, join(stateDir, "banyan.db")),
    says: /banyan\.db-wal is the log of another banyan\.db/,
  },
  {
    what: "a backup, without the log",
    lose({ stateDir, backup }) {
      rmSync(join(stateDir, "banyan.db-wal"));
      copyFileSync(backup, join(stateDir, "banyan.db"));
    },
    says: /banyan\.db is older than the store was/,
  },
  {
    what: "a backup, next to the log",
    lose: ({ stateDir, backup }) => copyFileSync(backup, join(stateDir, "banyan.db")),
    says: /banyan\.db-wal is the log of another banyan\.db/,
  },
  {
    what: "the database of another program",
    lose({ stateDir }) {
      for (const end of ["", "-wal", "-shm"]) rmSync(join(stateDir, `banyan.db${end}`), { force: true });
      const database = new DatabaseSync(join(stateDir, "banyan.db"));
      database.exec("CREATE TABLE meta (id)");
      database.close();
    },
    says: /banyan\.db is the database of another program/,
  },
  {
    what: "the database of another store",
    lose({ stateDir }) {
      const other = createTemporaryFolder();
      openWritable(other, { synchronous: "normal" }).close();
      rmSync(join(stateDir, "banyan.db-wal"));
      copyFileSync(join(other, "banyan.db"), join(stateDir, "banyan.db"));
    },
    says: /banyan\.db belongs to another store than store\.json/,
  },
];

test("a lost store is refused with what to do, and no file of it changes", async () => {
  const killed = await createKilled();
  expect(findStoreLoss(killed.stateDir)).toBeUndefined();
  for (const { what, lose, says } of LOSSES) {
    const stateDir = createTemporaryFolder();
    cpSync(killed.stateDir, stateDir, { recursive: true });
    lose({ ...killed, stateDir, backup: join(stateDir, "backups", basename(killed.backup)) });
    const before = readFiles(stateDir);
    const message = findStoreLoss(stateDir) ?? "";
    expect([what, message]).toEqual([what, expect.stringMatching(says)]);
    expect(message).toContain(`run "banyan restore" for the newest backup (${basename(killed.backup)}), or "banyan`);
    expect(() => openWritable(stateDir, { synchronous: "normal" })).toThrow(message);
    expect([what, readFiles(stateDir)]).toEqual([what, before]);
  }
});

test("a database without a table is refused for reading, too, where there was a store", async () => {
  const { stateDir } = await createKilled();
  for (const end of ["-wal", "-shm"]) rmSync(join(stateDir, `banyan.db${end}`), { force: true });
  writeFileSync(join(stateDir, "banyan.db"), "");
  expect(() => openSqliteReader(stateDir)).toThrow(
    /banyan\.db is empty, but the directory has store\.json and backups\//,
  );
});

test("a damaged database names the newest backup, or says that there is none", async () => {
  const { stateDir, backup } = await createKilled();
  rmSync(join(stateDir, "banyan.db-wal"));
  writeFileSync(join(stateDir, "banyan.db"), "no database ".repeat(1_000));
  const open = () => openWritable(stateDir, { synchronous: "normal" });
  const named = `run "banyan restore" for the newest backup (${basename(backup)})`;
  expect(open).toThrow(expect.objectContaining({ code: "corrupt", message: expect.stringContaining(named) }));
  rmSync(join(stateDir, "backups"), { recursive: true });
  expect(open).toThrow(/is damaged or no database .*; there is no backup in .*backups: put the original file back/);
});

test("a backup is older than the file that it was made of may become, and no log continues it", async () => {
  const { stateDir, backup } = await createKilled();
  const copied = readFileIdentity(backup);
  const { generation } = JSON.parse(readFileSync(join(stateDir, "store.json"), "utf8"));
  expect(copied).toMatchObject({ found: "store", base: undefined });
  expect(copied.found === "store" && copied.generation < generation).toBe(true);
  const elsewhere = createTemporaryFolder();
  copyFileSync(backup, join(elsewhere, "banyan.db"));
  openWritable(elsewhere, { synchronous: "normal" }).close();
  expect(findStoreLoss(elsewhere)).toBeUndefined();
});

/** The files that hold the store; a reader of it may leave an empty log and its index. */
function readFiles(stateDir: string): readonly (readonly [string, string])[] {
  return ["banyan.db", "banyan.db-wal", "store.json"].flatMap((name) => {
    const path = join(stateDir, name);
    return existsSync(path) && statSync(path).size > 0 ? [[name, readFileSync(path, "base64")] as const] : [];
  });
}
