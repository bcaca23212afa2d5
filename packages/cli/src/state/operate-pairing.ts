import {
  callGatewayPairing,
  createPorts,
  createStoredPairingOperations,
  type LoadedConfig,
  type SettledPairing,
} from "@banyan/core";
import { loadChannels } from "../gateway/load-channels.ts";
import { createRouteCheck } from "../gateway/route-check.ts";
import { findGateway } from "./find-gateway.ts";
import { openAlone } from "./open-alone.ts";

/** Settles a stranger through the gateway that runs on the state directory, else in the store itself. */
export async function operatePairing(
  loaded: LoadedConfig,
  operation: "approve" | "deny",
  target: string,
): Promise<SettledPairing> {
  const { config } = loaded;
  if ((await findGateway(config.stateDir)) !== undefined) {
    return callGatewayPairing(config.stateDir, operation, target);
  }
  // The plugins say how what he is told is split, and which channels are the operator's own.
  const { channels } = await loadChannels(loaded);
  return openAlone(config, "settling a stranger", (store, log) => {
    const checkRoutes = createRouteCheck(config, channels, store.read);
    const pairing = createStoredPairingOperations({ store, channels, checkRoutes, ports: createPorts({ log }) });
    return pairing[operation](target, "command line");
  });
}
