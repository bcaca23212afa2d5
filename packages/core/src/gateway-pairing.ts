import { parseAddress } from "@banyan/plugin-sdk";
import type { PairingRow, Store } from "@banyan/store";
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
    findAllowance: (sender) => findAllowance(channels, sender),
    outbox: { enqueue: () => undefined },
    getChannel: (address) =>
      buildTurnChannel(channels.find(({ plugin }) => plugin.id === parseAddress(address).channel)?.plugin),
    refreshRoutes: async () => undefined,
  });
}

/** The configuration's own list of senders, where it names this one. */
export function findAllowance(
  channels: GatewayOptions["channels"],
  { channel, account, senderId }: Pick<PairingRow, "channel" | "account" | "senderId">,
): string | undefined {
  const named = channels.find(({ plugin }) => plugin.id === channel)?.accounts.find(({ name }) => name === account);
  if (named?.access.allowFrom.has(senderId) !== true) return undefined;
  const { allowFromVariable: variable } = named.access;
  return `channels.${channel}.accounts.${account}.allowFrom${variable === undefined ? "" : ` or ${variable}`}`;
}
