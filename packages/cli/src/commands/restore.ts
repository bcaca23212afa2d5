import { statSync } from "node:fs";
import { join } from "node:path";
import { BanyanError, type Config } from "@banyan/core";
import { StoreError } from "@banyan/store";
import {
  type Backup,
  countBackupSessions,
  findSqliteHolder,
  listBackups,
  type RestoredStore,
  restoreSqliteStore,
} from "@banyan/store-sqlite";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { DATABASE_FILE, readState } from "../state/read-state.ts";
import { askYes } from "../terminal/ask-yes.ts";
import { countOf } from "../terminal/count-of.ts";
import { formatAge } from "../terminal/relative-time.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";
import { UsageError } from "../usage-error.ts";

export interface RestoreCommandOptions extends GlobalOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What a restore would replace. */
export interface PresentStore {
  readonly sessions: number;
  readonly changedAtMs: number;
}

/**
 * Runs `banyan restore`: replaces the database by a checked copy of a backup and keeps the previous one. Refused while
 * a gateway runs. Where no backup is named and the present database can be read, it asks first.
 */
export async function restore(given: string | undefined, options: RestoreCommandOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  if (config.store.driver === "memory") {
    throw new BanyanError(
      "state_dir_unusable",
      'restoring a backup: the store driver "memory" stores nothing; set store.driver to "sqlite"',
    );
  }
  if (given === undefined && !options.yes && !(await askFirst(config))) {
    return writeLines(["  Nothing was changed."]);
  }
  const restored = await restoreFrom(config.stateDir, given);
  if (options.json) return writeJson(restored);
  await writeLines(formatRestored(restored));
}

/** Where there is nothing to replace, or the restore is refused anyway, nothing is asked. */
async function askFirst(config: Config): Promise<boolean> {
  const backup = listBackups(config.stateDir).at(-1);
  const present = findSqliteHolder(config.stateDir) === undefined ? await readPresent(config) : undefined;
  if (backup === undefined || present === undefined) return true;
  const lines = formatReplacing({ ...backup, sessions: countBackupSessions(backup.path) }, present, Date.now());
  if (!(process.stdin.isTTY && process.stderr.isTTY)) {
    const what = lines.map((line) => line.trim()).join(" ");
    throw new UsageError(`restoring: there is no terminal to ask on; add --yes, or name a backup. ${what}`);
  }
  process.stderr.write(`${lines.join("\n")}\n`);
  return askYes("  Replace it? [y/N] ");
}

/** `undefined`: it is missing, or cannot be read. */
async function readPresent(config: Config): Promise<PresentStore | undefined> {
  const file = join(config.stateDir, DATABASE_FILE);
  try {
    const counts = await readState(config, (read) => read.counts());
    const times = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return counts && { sessions: counts.sessions, changedAtMs: Math.max(...times) };
  } catch (error) {
    if (error instanceof BanyanError) return undefined;
    throw error;
  }
}

/** What a person has to know before the newest backup replaces what is there. */
export function formatReplacing(
  { name, madeAtMs, sessions: saved }: Pick<Backup, "name" | "madeAtMs"> & { readonly sessions: number | undefined },
  { sessions, changedAtMs }: PresentStore,
  nowMs: number,
): readonly string[] {
  const age = (atMs: number) => `${formatAge(nowMs - atMs)} (${new Date(atMs).toISOString()})`;
  return [
    `  Newest backup: ${name}, made ${age(madeAtMs)}${saved === undefined ? "" : `, with ${countOf(saved, "session")}`}.`,
    `  It replaces the present database: ${countOf(sessions, "session")}, last changed ${age(changedAtMs)}.`,
    "  Changes since the backup are lost. The present files are kept in replaced/.",
  ];
}

async function restoreFrom(stateDir: string, backup: string | undefined): Promise<RestoredStore> {
  try {
    return await restoreSqliteStore({ stateDir, backup });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new BanyanError("state_dir_unusable", error.message, { cause: error });
  }
}

export function formatRestored({ from, sessions, replaced }: RestoredStore): readonly string[] {
  return [
    `  Restored ${from}: ${countOf(sessions, "session")}.`,
    "  Later changes are lost. Messages that were queued at that time are sent again, marked as possible repeats.",
    ...(replaced === undefined ? [] : [`  The replaced files are kept in ${replaced}`]),
    "  Run banyan start.",
  ];
}
