import { type Config, callControl, createOutboxOperations } from "@banyan/core";
import { findGateway } from "./find-gateway.ts";
import { openAlone } from "./open-alone.ts";

/** An operator's hand on the outbox, of the running gateway or of the store itself. */
export interface OutboxHand {
  retry(id: string): Promise<{ readonly id: string }>;
  drop(id: string): Promise<{ readonly id: string }>;
}

/**
 * Lets a command change the outbox: through the gateway that runs on the state directory, else with the store opened
 * and locked for as long as it takes. Both go the same way below.
 */
export async function operateOutbox<Result>(
  config: Config,
  use: (outbox: OutboxHand) => Promise<Result>,
): Promise<Result> {
  if ((await findGateway(config.stateDir)) !== undefined) return use(createRemoteHand(config.stateDir));
  return openAlone(config, "changing the outbox", (store) => {
    // Nothing runs here that would have to look at the outbox again.
    const operations = createOutboxOperations(store, { refresh: () => undefined });
    return use({
      retry: (id) => operations.retry(id, "command line"),
      drop: (id) => operations.drop(id, "command line"),
    });
  });
}

function createRemoteHand(stateDir: string): OutboxHand {
  const change = async (operation: string, id: string) => {
    const result = await callControl(stateDir, operation, { id });
    return { id: readId(result) ?? id };
  };
  return { retry: (id) => change("outbox-retry", id), drop: (id) => change("outbox-drop", id) };
}

function readId(result: unknown): string | undefined {
  if (typeof result !== "object" || result === null || !("id" in result)) return undefined;
  return typeof result.id === "string" ? result.id : undefined;
}
