import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "@banyan/store";
import { classifySqliteError } from "./sqlite-error.ts";
import { createPrivateFile } from "./state-folder.ts";

const LOCK_FILE = "banyan.lock";
const PID_FILE = "banyan.pid";
/** A command that looks for the holder blocks the lock for an instant: a start waits this long instead of failing. */
const BUSY_WAIT_MS = 250;

export interface StoreLock {
  release(): void;
}

/**
 * Takes the one writer's place in a state directory. The operating system holds the lock, so it ends with its holder
 * however that dies; the pid beside it only serves the message. It belongs to the thread that starts the writing worker:
 * while that dies and is started again, no other process comes in between. Throws `locked`.
 */
export function takeLock(stateDir: string): StoreLock {
  const path = join(stateDir, LOCK_FILE);
  const pidPath = join(stateDir, PID_FILE);
  createPrivateFile(path);
  const database = new DatabaseSync(path, { timeout: BUSY_WAIT_MS });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (classifySqliteError(error) === "busy") throw buildLockedError(stateDir, findHolderPid(pidPath));
    throw error;
  }
  try {
    rmSync(pidPath, { force: true });
    writeFileSync(pidPath, `${process.pid}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    release() {
      rmSync(pidPath, { force: true });
      database.close();
    },
  };
}

/** Finds the process that writes in a state directory; `undefined`: none. Changes nothing and fails no start. */
export function findSqliteHolder(stateDir: string): { readonly pid?: number } | undefined {
  if (!existsSync(join(stateDir, LOCK_FILE))) return undefined;
  const database = new DatabaseSync(join(stateDir, LOCK_FILE), { timeout: 0 });
  try {
    // The writer's lock refuses this read. Unlike a write, it lets several processes ask at once.
    database.exec("SELECT count(*) FROM sqlite_schema");
    return undefined;
  } catch (error) {
    if (classifySqliteError(error) !== "busy") throw error;
    const pid = findHolderPid(join(stateDir, PID_FILE));
    return pid === undefined ? {} : { pid };
  } finally {
    database.close();
  }
}

function buildLockedError(stateDir: string, holderPid: number | undefined): StoreError {
  const pid = holderPid === undefined ? "" : ` (PID ${holderPid})`;
  const message = `Another process${pid} uses this directory; stop it, or choose another state directory: ${stateDir}`;
  return new StoreError("locked", message, holderPid === undefined ? {} : { holderPid });
}

/** `undefined`: the holder has not written it yet. */
function findHolderPid(pidPath: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidPath, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
