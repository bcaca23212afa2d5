import { type Address, parseAddress, type Requester } from "@banyan/plugin-sdk";

/** Where a run was asked for, as the hooks name it. */
export function buildRequester(address: Address): Requester {
  const { channel, account, chat, thread } = parseAddress(address);
  return { channel, accountId: account, to: chat, ...(thread === undefined ? {} : { threadId: thread }), address };
}
