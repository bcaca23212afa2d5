import {
  type Config,
  callGatewayRekey,
  createSessionOperations,
  listDmScopes,
  parseIdentityLinks,
  type RekeyedSession,
} from "@banyan/core";
import { findGateway } from "./find-gateway.ts";
import { openAlone } from "./open-alone.ts";

export interface Rekey {
  readonly from: string;
  readonly to: string;
  readonly acceptShared: boolean;
}

/** Through the gateway that runs on the state directory, else with the store opened and locked for as long as it takes. */
export async function rekeySession(config: Config, { from, to, acceptShared }: Rekey): Promise<RekeyedSession> {
  const { stateDir, session } = config;
  if ((await findGateway(stateDir)) !== undefined) return callGatewayRekey(stateDir, { from, to, acceptShared });
  return openAlone(config, "moving a session", (store) => {
    const sessions = createSessionOperations({
      store,
      configuredLinks: parseIdentityLinks(session.identityLinks),
      dmScopes: listDmScopes(session.dmScope, config.routes),
      // No lane runs here.
      moveLanes: async () => undefined,
    });
    return sessions.rekey(from, to, { acceptShared }, "command line");
  });
}
