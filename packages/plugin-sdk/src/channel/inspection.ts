import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import type { ChannelFetch } from "./channel-context.ts";

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
