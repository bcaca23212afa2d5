import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseConfig } from "@banyan/core";
import { type Backup, openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { formatBackups } from "../../src/commands/backup-list.ts";
import { formatReplacing, formatRestored, restore } from "../../src/commands/restore.ts";
import { checkDatabase } from "../../src/doctor/check-database.ts";
import { openStore } from "../../src/gateway/open-store.ts";
import { readState } from "../../src/state/read-state.ts";
import { readStatus } from "../../src/state/read-status.ts";
import { makeFolder } from "../bin/banyan-process.ts";

const NAME = "banyan-2026-11-22T18-00-00.000Z.db";
const BACKUP: Backup = {
  name: NAME,
  path: `/s/backups/${NAME}`,
  madeAtMs: 0,
  bytes: 4_096,
  schemaVersion: 8,
  generation: 3,
};

describe("banyan backup list", () => {
  const show = (backups: readonly Backup[]) => formatBackups(backups, 3_600_000, new PassThrough());

  test("a line for each, with its age, size, schema and generation; one that cannot be read says so", () => {
    const { schemaVersion, generation, ...unreadable } = BACKUP;
    expect(show([BACKUP, unreadable])).toEqual([
      "  BACKUP                              MADE     SIZE",
      `  ${NAME}  1 h ago  4.0 KiB  schema 8, generation 3`,
      `  ${NAME}  1 h ago  4.0 KiB  cannot be read`,
    ]);
  });

  test("none: when the first one is made", () => {
    expect(show([])).toEqual([expect.stringContaining("no backups yet")]);
  });
});

test("banyan restore says what it replaces before it does so", () => {
  const backup = { name: NAME, madeAtMs: Date.UTC(2026, 10, 22, 18), sessions: 0 };
  const present = { sessions: 1, changedAtMs: Date.UTC(2026, 10, 22, 19, 55) };
  expect(formatReplacing(backup, present, Date.UTC(2026, 10, 22, 20))).toEqual([
    `  Newest backup: ${NAME}, made 2 h ago (2026-11-22T18:00:00.000Z), with 0 sessions.`,
    "  It replaces the present database: 1 session, last changed 5 min ago (2026-11-22T19:55:00.000Z).",
    "  Changes since the backup are lost. The present files are kept in replaced/.",
  ]);
});

test("without a terminal, banyan restore replaces a database only with --yes or a named backup", async () => {
  const stateDir = makeFolder();
  const file = join(stateDir, "banyan.config.json");
  writeFileSync(file, JSON.stringify({ stateDir }));
  const store = await openSqliteStore({ stateDir, readable: false });
  await store.backUpNow();
  await store.close();
  await expect(restore(undefined, { config: file })).rejects.toThrow(
    /there is no terminal.*add --yes, or name a backup\. Newest backup: .*, with 0 sessions\./,
  );
  expect(existsSync(join(stateDir, "replaced"))).toBe(false);
  await restore(undefined, { config: file, yes: true, json: true });
  expect(existsSync(join(stateDir, "replaced"))).toBe(true);
  rmSync(join(stateDir, "banyan.db"));
  await restore(undefined, { config: file, json: true });
  expect(existsSync(join(stateDir, "banyan.db"))).toBe(true);
});

test("banyan restore says what was restored, what is lost, where the replaced files are, and what to do", () => {
  const restored = { from: BACKUP.path, generation: 9, sessions: 18 };
  expect(formatRestored({ ...restored, replaced: "/s/replaced/now" })).toEqual([
    `  Restored ${BACKUP.path}: 18 sessions.`,
    expect.stringContaining("Later changes are lost."),
    "  The replaced files are kept in /s/replaced/now",
    "  Run banyan start.",
  ]);
  expect(formatRestored(restored)).toHaveLength(3);
});

test("where the database is gone, a start, listings, status and doctor say what to do; --new-store starts empty", async () => {
  const stateDir = makeFolder();
  const config = parseConfig({ stateDir }, { folder: stateDir });
  await (await openSqliteStore({ stateDir, readable: false })).close();
  rmSync(join(stateDir, "banyan.db"));
  const says = /banyan\.db is missing, but the directory has store\.json of a store; there is no backup in /;
  const refusal = { code: "state_dir_unusable", message: expect.stringMatching(says) };
  await expect(readState(config, async () => undefined)).rejects.toMatchObject(refusal);
  expect(await readStatus(config)).toEqual({ loss: expect.stringMatching(says), undelivered: {} });
  expect(await checkDatabase(config, undefined)).toMatchObject([
    { level: "error", cure: expect.stringContaining('"banyan start --new-store"') },
  ]);
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  await expect(openStore(config, { log })).rejects.toMatchObject(refusal);
  const store = await openStore(config, { log, newStore: true });
  expect(await store.read.counts()).toMatchObject({ sessions: 0 });
  await store.close();
  expect(await readStatus(config)).toMatchObject({ counts: { sessions: 0 } });
});
