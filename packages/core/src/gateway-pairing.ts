import { parseAddress } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/plugin-sdk/store";
import { createPairingOperations, type PairingOperations } from "./control/operate-pairing.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import type { Ports } from "./ports/ports.ts";
import { buildTurnChannel } from "./turns/turn-channel.ts";

export interface StoredPairingParts extends Pick<GatewayOptions, "channels" | "checkRoutes"> {
  readonly store: Store;
  readonly ports: Pick<Ports, "createId">;
}

/** An operator's word about strangers while no gateway runs: the next start sends what they are told. */
export function createStoredPairingOperations({ channels, ...parts }: StoredPairingParts): PairingOperations {
  return createPairingOperations({
    ...parts,
    outbox: { enqueue: () => undefined },
    getChannel: (address) =>
      buildTurnChannel(channels.find(({ plugin }) => plugin.id === parseAddress(address).channel)?.plugin),
    refreshRoutes: async () => undefined,
  });
}
