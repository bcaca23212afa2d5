import { type Config, createLog, createSecretScrubber } from "@banyan/core";
import type { Log } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/plugin-sdk/store";
import { openStore } from "../gateway/open-store.ts";
import { nothingStored } from "./nothing-stored.ts";
import { readState } from "./read-state.ts";

/** Opens and locks the store, which no gateway has, for as long as the call takes. `attempt` says what for. */
export async function openAlone<Result>(
  config: Config,
  attempt: string,
  use: (store: Store, log: Log) => Promise<Result>,
): Promise<Result> {
  if ((await readState(config, async () => true)) === undefined) {
    throw nothingStored(attempt, config.stateDir, "nothing_stored");
  }
  const log = createLog({ level: "warn", pretty: true, scrubber: createSecretScrubber() });
  const store = await openStore(config, { log });
  try {
    return await use(store, log);
  } finally {
    await store.close();
  }
}
