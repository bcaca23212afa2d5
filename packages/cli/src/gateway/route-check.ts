import {
  type Config,
  type GatewayChannel,
  type GatewayOptions,
  listSharedReaders,
  refuseFormerWriters,
  refuseSharedDm,
} from "@banyan/core";
import type { StoreReads } from "@banyan/store";

/** The reads by which it is judged what has been written where. */
export type WrittenReads = Pick<StoreReads, "writers" | "session">;

/**
 * Judges whether the DM scope stands with those who are let in, and whether they may read what was written before.
 * Rejects with `shared_dm_refused` and `foreign_writers`.
 */
export function createRouteCheck(
  config: Config,
  channels: readonly GatewayChannel[],
  read: WrittenReads,
): NonNullable<GatewayOptions["checkRoutes"]> {
  const operatorOnly = listOperatorChannels(channels);
  return async (routes) => {
    refuseSharedDm(config, { operatorOnly, routes });
    await refuseFormerWriters(read, config, { operatorOnly, routes });
  };
}

/** Tells who reads in the sessions that direct chats share. */
export function createReaderList(
  config: Config,
  channels: readonly GatewayChannel[],
): NonNullable<GatewayOptions["listSharedReaders"]> {
  const operatorOnly = listOperatorChannels(channels);
  return (routes) => listSharedReaders(config, { operatorOnly, routes });
}

/** Those that nobody but the operator reaches. */
export function listOperatorChannels(channels: readonly GatewayChannel[]): readonly string[] {
  return channels.flatMap(({ plugin }) => (plugin.capabilities.isOperatorOnly ? [plugin.id] : []));
}
