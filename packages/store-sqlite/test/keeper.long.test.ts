import { closeSync, openSync, readdirSync, readSync, truncateSync, utimesSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StoreError } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { writeBackup } from "../src/keeper/backup.ts";
import { KeeperThread } from "../src/keeper-thread.ts";
import { createManualClock } from "./manual-clock.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildReceive, buildWriteSession } from "./sample.ts";
import { createTemporaryFolder } from "./state-folder.ts";

/** The first byte of such a page (sqlite.org/fileformat.html). */
const LEAF_OF_A_TABLE = 0x0d;
const HOUR_MS = 3_600_000;

describe("a backup", () => {
  test("is a database with everything that was committed, made while the store is used", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir });
    await store.commit(buildWriteSession("w1"));
    const path = await store.backUpNow();
    const database = new DatabaseSync(path ?? "", { readOnly: true });
    expect(database.prepare("SELECT key FROM sessions").get()).toEqual({ key: adaKey });
    database.close();
  });

  test("is skipped while nothing changed or the newest one is young, and only the last four are kept", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openTestStore({ stateDir, readable: false });
    const nowMs = Date.now();
    const made: (string | undefined)[] = [];
    for (let hour = 0; hour < 6; hour += 1) {
      await store.commit(buildReceive(`m${hour}`));
      made.push(await writeBackup(stateDir, 0, nowMs + hour * HOUR_MS));
    }
    expect(made.every((path) => path !== undefined)).toBe(true);
    expect(readdirSync(join(stateDir, "backups"))).toHaveLength(4);
    expect(await writeBackup(stateDir, 0, nowMs + 6 * HOUR_MS)).toBeUndefined();
    await store.commit(buildReceive("m7"));
    expect(await writeBackup(stateDir, 8 * HOUR_MS, nowMs + 7 * HOUR_MS)).toBeUndefined();
    expect(await writeBackup(stateDir, HOUR_MS, nowMs + 7 * HOUR_MS)).toBeDefined();
  });
});

test("after the clock was set back a backup is made at once, and those of the future go first", async () => {
  const stateDir = createTemporaryFolder();
  const store = await openTestStore({ stateDir, readable: false });
  await store.commit(buildReceive("m0"));
  const nowMs = Date.now();
  const backups = join(stateDir, "backups");
  for (const day of [1, 2, 3, 4]) {
    const path = await writeBackup(stateDir, 0, nowMs + day * 24 * HOUR_MS);
    utimesSync(path ?? "", nowMs / 1_000 + day * 86_400, nowMs / 1_000 + day * 86_400);
    await store.commit(buildReceive(`m${day}`));
    for (const end of ["", "-wal"])
      utimesSync(join(stateDir, `banyan.db${end}`), nowMs / 1_000 + 864_000, nowMs / 1_000 + 864_000);
  }
  const first = await writeBackup(stateDir, HOUR_MS, nowMs);
  expect(readdirSync(backups)).toContain(basename(first ?? ""));
  expect(readdirSync(backups)).toHaveLength(4);
  const second = await writeBackup(stateDir, 0, nowMs + HOUR_MS);
  expect(readdirSync(backups)).toEqual(expect.arrayContaining([basename(first ?? ""), basename(second ?? "")]));
});

describe("the check in the background", () => {
  test("says nothing of a sound database", async () => {
    const store = await openTestStore({ stateDir: createTemporaryFolder() });
    const failures: StoreError[] = [];
    store.onFailure((error) => failures.push(error));
    await store.commit(buildWriteSession("w1"));
    await store.checkNow();
    expect(failures).toEqual([]);
    expect(await store.commit(buildAppend("e1"))).toEqual({ status: "done" });
  });

  const threads = [
    { of: "beside the layout", readable: true },
    { of: "in a thread of its own", readable: false },
  ];
  test.each(threads)("$of ends the store of a damaged file: intake stops, it says what to do", async ({ readable }) => {
    const stateDir = createTemporaryFolder();
    // Its time stands still: on a slow machine its own check would come between.
    const first = await openTestStore({ stateDir, readable: false, clock: createManualClock() });
    const body = "x".repeat(2_000);
    const received = Array.from({ length: 50 }, (_, index) => first.commit(buildReceive(`m${index}`, { body })));
    await Promise.all([first.commit(buildWriteSession("w1")), ...received]);
    await first.close();
    damageOnePage(join(stateDir, "banyan.db"));

    const store = await openTestStore({ stateDir, readable, clock: createManualClock() });
    const failures: StoreError[] = [];
    store.onFailure((error) => failures.push(error));
    await store.checkNow();
    expect(failures).toMatchObject([{ code: "corrupt" }]);
    expect(failures[0]?.message).toMatch(
      /is damaged .*; there is no backup in .*use "banyan restore FILE" with a copy from elsewhere/,
    );
    await expect(store.commit(buildAppend("e1"))).rejects.toMatchObject({ code: "closed" });
  });

  const places = [
    { file: "a small file is looked through by the layout's thread", megabytes: 1, isThere: true, isAsked: true },
    { file: "a large one by a thread of its own", megabytes: 33, isThere: true, isAsked: false },
    { file: "a small one too where the layout's thread is gone", megabytes: 1, isThere: false, isAsked: false },
  ];
  test.each(places)("$file", async ({ megabytes, isThere, isAsked }) => {
    const stateDir = createTemporaryFolder();
    await (await openTestStore({ stateDir, readable: false })).close();
    truncateSync(join(stateDir, "banyan.db"), megabytes * 1024 * 1024);
    const damages: string[] = [];
    const keeper = new KeeperThread({
      stateDir,
      clock: createManualClock(),
      log: undefined,
      checkSmall: async () => (isThere ? { type: "checked", damage: "it was asked" } : undefined),
      onDamage: (error) => damages.push(error.message),
    });
    await keeper.check();
    await keeper.close();
    expect(damages).toEqual(isAsked ? [expect.stringContaining("damaged (it was asked)")] : []);
  });
});

/** Damages a page that holds nothing but old items, so that only who looks for it finds it. */
function damageOnePage(path: string): void {
  const pageBytes = 4_096;
  const fd = openSync(path, "r+");
  const page = Buffer.alloc(pageBytes);
  let isDamaged = false;
  for (let offset = 0; readSync(fd, page, 0, pageBytes, offset) > 0; offset += pageBytes) {
    if (page[0] !== LEAF_OF_A_TABLE || !page.includes("x".repeat(1_500))) continue;
    writeSync(fd, Buffer.alloc(64, 0xab), 0, 64, offset);
    isDamaged = true;
    break;
  }
  closeSync(fd);
  expect(isDamaged).toBe(true);
}
