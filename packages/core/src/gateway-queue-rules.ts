import { type Address, parseAddress } from "@banyan/plugin-sdk";
import { parseQueueSetting, type QueueRules, resolveQueueRules } from "./config/shapes/queue-config.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import type { SessionRecord } from "./sessions/session-record.ts";

/** What a message does that arrives while a turn of the session runs. */
export function getQueueRules(
  { queue }: Pick<GatewayOptions, "queue">,
  { entry }: Partial<Pick<SessionRecord, "entry">>,
  address: Address,
): QueueRules {
  return resolveQueueRules(queue, parseAddress(address).channel, parseQueueSetting(entry?.queueOverride));
}
