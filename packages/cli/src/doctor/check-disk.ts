import { statfs } from "node:fs/promises";
import { findExistingFolder } from "../state/find-existing-folder.ts";
import { formatBytes } from "../terminal/byte-size.ts";
import type { Finding } from "./finding.ts";

/** Below this a busy gateway with its backups may be stopped within a day. */
const LITTLE_BYTES = 1024 ** 3;
/** Below this the database and its log have no room to grow. */
const TOO_LITTLE_BYTES = 64 * 1024 ** 2;

/** Whether the disk of the state directory has room. */
export async function checkDisk(stateDir: string): Promise<readonly Finding[]> {
  const { bavail, bsize } = await statfs(findExistingFolder(stateDir));
  const free = bavail * bsize;
  const text = `${formatBytes(free)} free`;
  if (free >= LITTLE_BYTES) return [{ subject: "disk", level: "ok", text }];
  const level = free < TOO_LITTLE_BYTES ? "error" : "warning";
  return [{ subject: "disk", level, text, cure: "free space: a full disk stops the gateway from taking messages in" }];
}
