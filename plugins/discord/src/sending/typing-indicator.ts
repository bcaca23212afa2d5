import type { Clock, Log, TypingAbility } from "@banyan/plugin-sdk";
import { parsePlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";

export interface TypingIndicatorOptions {
  readonly api: DiscordApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** An answer that comes sooner costs no request. */
const START_DELAY_MS = 300;
/** Discord shows it for ten seconds (documentation, "Trigger Typing Indicator"). */
const REPEAT_MS = 8_000;

/** "… is typing" is a courtesy: its failures end it and are told to nobody but the debug log. */
export function createTypingIndicator({ api, clock, log, signal }: TypingIndicatorOptions): TypingAbility {
  const shown = new Set<() => void>();
  // One listener for all: each message shows it for a moment.
  signal.addEventListener("abort", () => [...shown].forEach((stop) => void stop()), { once: true });
  return {
    start(address) {
      const { channelId } = parsePlace(address);
      let isWaiting = false;
      let cancel = clock.schedule(START_DELAY_MS, show);
      shown.add(stop);

      function stop(): void {
        cancel();
        shown.delete(stop);
      }

      function show(): void {
        cancel = clock.schedule(REPEAT_MS, show);
        if (isWaiting) return;
        isWaiting = true;
        const attempt = `Showing "typing" in Discord channel ${channelId}`;
        api.call({ method: "post", route: `/channels/${channelId}/typing`, attempt }).then(
          () => {
            isWaiting = false;
          },
          (error: unknown) => {
            stop();
            log.debug({ err: error }, "no typing indicator");
          },
        );
      }

      return stop;
    },
  };
}
