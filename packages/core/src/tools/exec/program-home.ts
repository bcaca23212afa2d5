/** The home folder of a program for one call: empty at first, private to its owner, and removed after the call. */
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "@banyan/plugin-sdk";

/** After it the process id of the gateway. */
const NAME = /^banyan-home-(\d{1,10})-/;
/** No call takes half of it, so an older one belongs to a gateway that was killed. */
const OLD_MS = 2 * 3_600_000;

/** Its mode is 0700. */
export function createProgramHome(folder: string = tmpdir()): Promise<string> {
  return mkdtemp(join(folder, `banyan-home-${process.pid}-`));
}

/** Content that cannot be removed, such as a folder that a program has made unreadable, is named in the log. */
export async function removeProgramHome(homeDir: string, log: Pick<Log, "warn">): Promise<void> {
  try {
    await rm(homeDir, { recursive: true, force: true, maxRetries: 2 });
  } catch (error) {
    log.warn({ err: error, homeDir }, "deleting a program's home folder failed; delete it manually");
  }
}

/** Removes the homes that killed gateways of this user have left; called together with what removes other old files. */
export async function removeOldHomes(nowMs: number, log: Pick<Log, "warn">, folder: string = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    const isOwn = found?.isDirectory() === true && found.uid === process.getuid?.();
    if (isOwn && found.mtimeMs < nowMs - OLD_MS) await removeProgramHome(path, log);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other failure means a living process of another user.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
