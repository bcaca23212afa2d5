import { type Config, type GatewayChannel, type GatewayOptions, refuseSharedDm } from "@banyan/core";

/** Judges whether the DM scope stands with those who were let in. Throws `shared_dm_refused`. */
export function createRouteCheck(
  config: Config,
  channels: readonly GatewayChannel[],
): NonNullable<GatewayOptions["checkRoutes"]> {
  const operatorOnly = channels.flatMap(({ plugin }) => (plugin.capabilities.isOperatorOnly ? [plugin.id] : []));
  return (routes) => refuseSharedDm(config, { operatorOnly, routes });
}
