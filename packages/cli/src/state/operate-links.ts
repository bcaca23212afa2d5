import {
  type AddedLink,
  callGatewayLinkAdd,
  callGatewayLinkRemove,
  createLinkOperations,
  createPorts,
  type LoadedConfig,
  parseIdentityLinks,
  type RemovedLink,
} from "@banyan/core";
import type { Log } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import { loadChannels } from "../gateway/load-channels.ts";
import { createRouteCheck } from "../gateway/route-check.ts";
import { findGateway } from "./find-gateway.ts";
import { type FreshState, openAlone } from "./open-alone.ts";

/** An operator's hand on who is whom, of the running gateway or of the store itself. */
export interface LinkHand {
  add(accounts: readonly string[], name: string | undefined): Promise<AddedLink>;
  remove(account: string): Promise<RemovedLink>;
}

/**
 * Through the gateway that runs on the state directory, else with the store opened and locked for as long as it takes.
 * `fresh`: who is linked before the first start needs a store; to part somebody needs one that is there.
 */
export async function operateLinks<Result>(
  loaded: LoadedConfig,
  use: (links: LinkHand) => Promise<Result>,
  fresh: FreshState = "refuse",
): Promise<Result> {
  const { config } = loaded;
  const { stateDir } = config;
  if ((await findGateway(stateDir)) !== undefined) {
    return use({
      add: (accounts, name) => callGatewayLinkAdd(stateDir, accounts, name),
      remove: (account) => callGatewayLinkRemove(stateDir, account),
    });
  }
  // The plugins say which channels are the operator's own.
  const { channels } = await loadChannels(loaded);
  const useAlone = (store: Store, log: Log) => {
    const links = createLinkOperations({
      store,
      ports: createPorts({ log }),
      configuredLinks: parseIdentityLinks(config.session.identityLinks),
      agentIds: Object.keys(config.agents),
      checkRoutes: createRouteCheck(config, channels, store.read),
      // Nothing runs here that decides by them.
      refresh: async () => undefined,
    });
    return use({
      add: (accounts, name) => links.add(accounts, name, "command line"),
      remove: (account) => links.remove(account, "command line"),
    });
  };
  return openAlone(config, "changing links", useAlone, fresh);
}
