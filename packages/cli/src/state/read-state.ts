import { existsSync } from "node:fs";
import { join } from "node:path";
import { BanyanError, type Config } from "@banyan/core";
import { StoreError, type StoreReads } from "@banyan/store";

/** How the database is called in every state directory. */
export const DATABASE_FILE = "banyan.db";

/**
 * Reads what stands in the state directory, beside a running gateway or without one; nothing is written or locked.
 * `undefined`: nothing was ever stored there. Throws `state_dir_unusable`, also where what was stored is lost.
 */
export async function readState<Result>(
  { stateDir, store }: Config,
  use: (read: StoreReads) => Promise<Result>,
): Promise<Result | undefined> {
  if (store.driver === "memory") {
    throw new BanyanError(
      "state_dir_unusable",
      'reading what is stored: the store driver is memory, which only the gateway\'s own process can read; set store.driver to "sqlite"',
    );
  }
  if (!existsSync(stateDir)) return undefined;
  const { findStoreLoss, openSqliteReader } = await import("@banyan/store-sqlite");
  try {
    if (!existsSync(join(stateDir, DATABASE_FILE))) {
      const loss = findStoreLoss(stateDir);
      if (loss === undefined) return undefined;
      throw new BanyanError("state_dir_unusable", loss);
    }
    const reader = openSqliteReader(stateDir);
    try {
      return await use(reader.read);
    } finally {
      reader.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new BanyanError("state_dir_unusable", error.message, { cause: error });
  }
}
