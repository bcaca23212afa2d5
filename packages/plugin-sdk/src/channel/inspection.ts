import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import type { ChannelCommand, ChannelFetch } from "./channel-context.ts";

/** What a plugin gets to look an account over, outside any gateway. */
export interface InspectContext<Config> {
  readonly config: Config;
  readonly account: string;
  readonly fetch: ChannelFetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /**
   * No gateway of this state directory runs the account, so it may be listened to for a few seconds to find another
   * program that does. Nothing that it hears may be acknowledged.
   */
  readonly mayListen: boolean;
  /** As in the `ChannelContext`. */
  readonly needsAllMessages: boolean;
  /** Which groups and channels the account takes part in, for a look at its rights there. */
  readonly groups: InspectedGroups;
  /**
   * As in the `ChannelContext`: what should be registered where the platform keeps a list. Empty
   * before the first start, when nothing is.
   */
  readonly commands: readonly ChannelCommand[];
}

/** As configured: ids of the platform. Lists count under `allowlist` alone. */
export interface InspectedGroups {
  readonly policy: "allowlist" | "open" | "disabled";
  /** Chats. */
  readonly allow: readonly string[];
  /** Servers, all of whose chats are on the list. */
  readonly guilds: readonly string[];
}

/** What the platform says of an account. */
export interface AccountInspection {
  /** How people know the account, such as `@grove_bot`. */
  readonly identity: string;
  readonly findings: readonly AccountFinding[];
  /** How far this machine's clock is ahead of the platform's, in milliseconds, where the answer tells. */
  readonly clockAheadMs?: number;
}

export interface AccountFinding {
  readonly level: "note" | "warning" | "error";
  /** One sentence, without a secret. */
  readonly text: string;
  /** What to do, for a warning or an error. */
  readonly cure?: string;
}
