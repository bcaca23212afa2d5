import { type Config, createLog, createSecretScrubber } from "@banyan/core";
import type { Log } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import { openStore } from "../gateway/open-store.ts";
import { nothingStored } from "./nothing-stored.ts";
import { readState } from "./read-state.ts";

/** What becomes of a state directory in which nothing was ever stored. */
export type FreshState = "create" | "refuse";

/**
 * Opens and locks the store, which no gateway has, for as long as the call takes. `attempt` says what for; `fresh`,
 * whether a store is made where nothing was ever stored, or that is refused with `nothing_stored`.
 */
export async function openAlone<Result>(
  config: Config,
  attempt: string,
  use: (store: Store, log: Log) => Promise<Result>,
  fresh: FreshState = "refuse",
): Promise<Result> {
  const isThere = (await readState(config, async () => true)) ?? false;
  if (!isThere && fresh === "refuse") throw nothingStored(attempt, config.stateDir, "nothing_stored");
  const log = createLog({ level: "warn", pretty: true, scrubber: createSecretScrubber() });
  const store = await openStore(config, { log });
  try {
    return await use(store, log);
  } finally {
    await store.close();
  }
}
