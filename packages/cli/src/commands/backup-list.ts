import { type Backup, listBackups } from "@banyan/store-sqlite";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { formatBytes } from "../terminal/byte-size.ts";
import { formatAge } from "../terminal/relative-time.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

/** Runs `banyan backup list`: lists the copies of the database in the state directory. Opens nothing for writing. */
export async function backupList(options: GlobalOptions & { readonly json?: boolean }): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const backups = listBackups(config.stateDir).toReversed();
  if (options.json) return writeJson(backups);
  await writeLines(formatBackups(backups, Date.now(), process.stdout));
}

export function formatBackups(
  backups: readonly Backup[],
  nowMs: number,
  stream: NodeJS.WritableStream,
): readonly string[] {
  if (backups.length === 0) {
    return ["  no backups yet: the gateway makes one soon after its start, then every hour"];
  }
  const rows = backups.map(({ name, madeAtMs, bytes, schemaVersion, generation }) => [
    name,
    formatAge(nowMs - madeAtMs),
    formatBytes(bytes),
    schemaVersion === undefined ? "cannot be read" : `schema ${schemaVersion}, generation ${generation}`,
  ]);
  return formatTable(["BACKUP", "MADE", "SIZE", ""], rows, stream);
}
