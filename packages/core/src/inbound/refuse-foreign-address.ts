import { type InboundMessage, parseAddress } from "@banyan/plugin-sdk";

/** A plugin speaks for its own account alone: what it says of another one would pass by that one's access rules. */
export function refuseForeignAddress(
  { channel, account }: { readonly channel: string; readonly account: string },
  address: InboundMessage["address"],
): void {
  const place = parseAddress(address);
  if (place.channel === channel && place.account === account) return;
  throw new Error(
    `A batch was received by ${channel}/${account}: a message names another account, received ${place.channel}/${place.account}; build addresses with the plugin's id and context.account`,
  );
}
