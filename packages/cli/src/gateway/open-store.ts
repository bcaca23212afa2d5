import { BanyanError, buildAgentFolderName, type Config } from "@banyan/core";
import type { Clock, Log } from "@banyan/plugin-sdk";
import { type Store, StoreError } from "@banyan/store";

export interface OpenStoreOptions {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  readonly faultPointModule?: string | undefined;
  readonly newStore?: boolean | undefined;
}

/** Opens the store that the configuration names. Throws `state_dir_unusable` with the driver's own sentence. */
export async function openStore(config: Config, options: OpenStoreOptions): Promise<Store> {
  const { log, clock, faultPointModule, newStore = false } = options;
  if (config.store.driver === "memory") {
    const { createInlineStore } = await import("@banyan/store-sqlite/inline");
    return createInlineStore(clock === undefined ? {} : { clock });
  }
  const { openSqliteStore } = await import("@banyan/store-sqlite");
  try {
    return await openSqliteStore({
      stateDir: config.stateDir,
      agentDirOf: buildAgentFolderName,
      synchronous: config.store.synchronous,
      readable: config.store.readable,
      newStore,
      log,
      ...(clock === undefined ? {} : { clock }),
      ...(faultPointModule === undefined ? {} : { faultPointModule }),
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new BanyanError("state_dir_unusable", error.message, { cause: error });
  }
}
