/** Banyan's core: what an embedding program uses. */
export type { AccessPolicy } from "./access/decide-access.ts";
export { Gateway } from "./gateway.ts";
export type { GatewayAccount, GatewayChannel, GatewayOptions } from "./gateway-options.ts";
