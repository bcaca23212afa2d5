import type { GatewayDispatchPayload, GatewayReadyDispatchData } from "discord.js";

/** What the gateway brings, in the order in which it came on its shard. */
export type GatewayEvent =
  /** A new session: what was sent before it is not repeated. */
  | { readonly kind: "ready"; readonly shard: number; readonly shards: number; readonly data: GatewayReadyDispatchData }
  /** The session goes on; all that was missed has been repeated. */
  | { readonly kind: "resumed"; readonly shard: number }
  | { readonly kind: "dispatch"; readonly shard: number; readonly payload: GatewayDispatchPayload };
