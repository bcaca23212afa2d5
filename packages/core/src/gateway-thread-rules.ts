import type { AddressParts } from "@banyan/plugin-sdk";
import { getThreadRules, type ThreadRules } from "./config/shapes/thread-rules.ts";
import type { GatewayOptions } from "./gateway-options.ts";

/** The rules of threads on an account: its own over those of the gateway. */
export function resolveThreadRules(
  { channels, threads }: Pick<GatewayOptions, "channels" | "threads">,
  place: Pick<AddressParts, "channel" | "account">,
): ThreadRules {
  const { accounts = [] } = channels.find(({ plugin }) => plugin.id === place.channel) ?? {};
  const account = accounts.find(({ name }) => name === place.account);
  return getThreadRules({ ...threads, ...account?.threads });
}
