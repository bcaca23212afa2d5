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
import { loadChannels } from "../gateway/load-channels.ts";
import { createRouteCheck } from "../gateway/route-check.ts";
import { findGateway } from "./find-gateway.ts";
import { openAlone } from "./open-alone.ts";

/** An operator's hand on who is whom, of the running gateway or of the store itself. */
export interface LinkHand {
  add(accounts: readonly string[], name: string | undefined): Promise<AddedLink>;
  remove(account: string): Promise<RemovedLink>;
}

/** Through the gateway that runs on the state directory, else with the store opened and locked for as long as it takes. */
export async function operateLinks<Result>(
  loaded: LoadedConfig,
  use: (links: LinkHand) => Promise<Result>,
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
  return openAlone(config, "changing links", (store, log) => {
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
  });
}
