import { isAddress, parseAddress } from "@banyan/plugin-sdk";

/** An address as people read it: `telegram dm 7550`. */
export function formatPlace(address: string): string {
  if (!isAddress(address)) return address;
  const { channel, account, kind, chat, thread } = parseAddress(address);
  const where = account === "default" ? channel : `${channel}/${account}`;
  return `${where} ${kind} ${chat}${thread === undefined ? "" : ` thread ${thread}`}`;
}
