import { BanyanError } from "@banyan/core";
import { StoreError } from "@banyan/store";
import { type RestoredStore, restoreSqliteStore } from "@banyan/store-sqlite";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { countOf } from "../terminal/count-of.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

/**
 * Runs `banyan restore`: replaces the database by a checked copy of a backup and keeps the previous one. Refused while
 * a gateway runs.
 */
export async function restore(
  given: string | undefined,
  options: GlobalOptions & { readonly json?: boolean },
): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  if (config.store.driver === "memory") {
    throw new BanyanError(
      "state_dir_unusable",
      'restoring a backup: the store driver "memory" stores nothing; set store.driver to "sqlite"',
    );
  }
  const restored = await restoreFrom(config.stateDir, given);
  if (options.json) return writeJson(restored);
  await writeLines(formatRestored(restored));
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
