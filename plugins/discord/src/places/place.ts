/** Where a message is to be sent, as its address says. */
import { type Address, parseAddress } from "@banyan/plugin-sdk";

/** The channel, thread or direct chat that an address means. */
export interface AddressedPlace {
  /** What is read from and sent to; a thread is a channel of its own. */
  readonly channelId: string;
  /** The channel above a thread; the channel itself where it is none. */
  readonly parentId: string;
  readonly isThread: boolean;
  readonly isDm: boolean;
}

export function parsePlace(address: Address): AddressedPlace {
  const { chat, thread, kind } = parseAddress(address);
  return { channelId: thread ?? chat, parentId: chat, isThread: thread !== undefined, isDm: kind === "dm" };
}
