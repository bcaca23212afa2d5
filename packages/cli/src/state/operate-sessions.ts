import {
  callGatewayRekey,
  createSessionOperations,
  type LoadedConfig,
  listDmScopes,
  parseIdentityLinks,
  type RekeyedSession,
} from "@banyan/core";
import { loadChannels } from "../gateway/load-channels.ts";
import { createReaderList } from "../gateway/route-check.ts";
import { findGateway } from "./find-gateway.ts";
import { openAlone } from "./open-alone.ts";

export interface Rekey {
  readonly from: string;
  readonly to: string;
  readonly acceptShared: boolean;
}

/** Through the gateway that runs on the state directory, else with the store opened and locked for as long as it takes. */
export async function rekeySession(loaded: LoadedConfig, { from, to, acceptShared }: Rekey): Promise<RekeyedSession> {
  const { config } = loaded;
  const { stateDir, session } = config;
  if ((await findGateway(stateDir)) !== undefined) return callGatewayRekey(stateDir, { from, to, acceptShared });
  // The plugins say which channels are the operator's own.
  const { channels } = await loadChannels(loaded);
  return openAlone(config, "moving a session", (store) => {
    const sessions = createSessionOperations({
      store,
      configuredLinks: parseIdentityLinks(session.identityLinks),
      dmScopes: listDmScopes(session.dmScope, config.routes),
      scope: session.scope,
      defaultAgent: config.defaultAgent,
      listSharedReaders: createReaderList(config, channels),
      // No lane runs here.
      moveLanes: async () => undefined,
    });
    return sessions.rekey(from, to, { acceptShared }, "command line");
  });
}
