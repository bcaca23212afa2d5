import type { ChannelFetch } from "../channel/channel-context.ts";
import type { Clock } from "../port/clock.ts";

/** A platform's clock, as the `Date` of its answers tells it: this machine's own may be wrong. */
export interface PlatformTime {
  /** Calls on, and listens to what the answers say. */
  readonly fetch: ChannelFetch;
  /** Milliseconds since the epoch; `undefined` before an answer told it. */
  now(): number | undefined;
}

export function createPlatformTime(fetch: ChannelFetch, clock: Clock): PlatformTime {
  /** The platform's time at which the monotonic clock would have been 0. */
  let startMs: number | undefined;
  return {
    async fetch(url, request) {
      const response = await fetch(url, request);
      const platformMs = Date.parse(response.headers.get("date") ?? "");
      if (!Number.isNaN(platformMs)) startMs = platformMs - clock.monotonic();
      return response;
    },
    now: () => (startMs === undefined ? undefined : startMs + clock.monotonic()),
  };
}
