import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ConnectionAbilities } from "./abilities.ts";
import type { ChannelCapabilities } from "./capabilities.ts";
import type { ChannelContext } from "./channel-context.ts";
import type { AccountInspection, InspectContext } from "./inspection.ts";
import type { DeliveryReceipt, OutboundMessage } from "./outbound-message.ts";

/** The version of this contract. A plugin made for another one is refused at load with a sentence. */
export const CHANNEL_API_VERSION = 1;

/**
 * A messaging platform as one plugin integrates it. It translates both ways and classifies errors, nothing else: who
 * may talk, session keys, queues, splitting and retries are the core's.
 */
export interface ChannelPlugin<Config = unknown> {
  /** `^[a-z][a-z0-9-]{0,31}$` and no reserved word. Also the channel's name in keys and configuration. */
  readonly id: string;
  readonly apiVersion: typeof CHANNEL_API_VERSION;
  readonly capabilities: ChannelCapabilities;
  /** The account's own settings, as any Standard Schema. Unknown keys should not pass. */
  readonly config: StandardSchemaV1<unknown, Config>;
  /**
   * Called once per account at start. Resolves when the account works; throws a `ChannelError` otherwise:
   * `unauthorized` and `permanent` leave the account failed, other classes are tried again with backoff.
   */
  connect(context: ChannelContext<Config>): Promise<ChannelConnection>;
  /**
   * Looks the account over for `banyan init` and `banyan doctor`: are the credentials good, does anything stand in the
   * way. Changes nothing on the platform and takes nothing from it. Throws a `ChannelError` where the platform refuses.
   */
  inspect?(context: InspectContext<Config>): Promise<AccountInspection>;
}

/** One live account. */
export interface ChannelConnection extends ConnectionAbilities {
  /**
   * Sends one part. Resolves only when the platform has confirmed it; throws a `ChannelError` otherwise. Called again
   * for the same `deliveryId` and `part` after an unclear end. Calls for one chat never overlap; chats run in parallel.
   */
  send(message: OutboundMessage): Promise<DeliveryReceipt>;
  /** Ends every connection, timer and request of the account. Called once; must not throw. */
  close(): Promise<void>;
}

/** Gives a plugin its types; it does nothing at run time. */
export function defineChannelPlugin<Config>(plugin: ChannelPlugin<Config>): ChannelPlugin<Config> {
  return plugin;
}
