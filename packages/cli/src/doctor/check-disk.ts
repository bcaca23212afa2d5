import { statfs } from "node:fs/promises";
import { findExistingFolder } from "../state/find-existing-folder.ts";
import { formatBytes } from "../terminal/byte-size.ts";
import type { Finding } from "./finding.ts";

/** Below this a busy gateway with its backups may be stopped within a day. */
const LITTLE_BYTES = 1024 ** 3;
/** Below this the database and its log have no room to grow. */
const TOO_LITTLE_BYTES = 64 * 1024 ** 2;

/** Whether the disk of the state directory has room. `measureFree` answers in bytes. */
export async function checkDisk(
  stateDir: string,
  measureFree: (folder: string) => Promise<number> = measureFreeBytes,
): Promise<readonly Finding[]> {
  const free = await measureFree(findExistingFolder(stateDir));
  const text = `${formatBytes(free)} free`;
  if (free >= LITTLE_BYTES) return [{ subject: "disk", level: "ok", text }];
  const level = free < TOO_LITTLE_BYTES ? "error" : "warning";
  return [{ subject: "disk", level, text, cure: "free space: a full disk stops the gateway from taking messages in" }];
}

/** What this user may still write there. */
async function measureFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
