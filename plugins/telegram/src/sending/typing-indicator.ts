import type { Clock, Log, TypingAbility } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import { parseChatPlace } from "../chat-place.ts";
import type { FaultReport } from "../fault-report.ts";
import { createTypingRefusals } from "./typing-refusal.ts";

export interface TypingIndicatorOptions {
  readonly bot: Bot;
  readonly clock: Clock;
  readonly log: Log;
  readonly reportFault: FaultReport;
  readonly signal: AbortSignal;
}

/** An answer that comes sooner costs no request. */
const START_DELAY_MS = 300;
/** Telegram shows it for five seconds. */
const REPEAT_MS = 4_000;

/** "typing …" is a courtesy: its failures end it and are told to nobody but the debug log. */
export function createTypingIndicator(options: TypingIndicatorOptions): TypingAbility {
  const { bot, clock, log, reportFault, signal } = options;
  const refusals = createTypingRefusals(clock);
  const shown = new Set<() => void>();
  // One listener for all: each message shows it for a moment.
  signal.addEventListener("abort", () => stopAll(shown), { once: true });
  return {
    start(address) {
      const { chatId, isPrivate, topic } = parseChatPlace(address);
      if (!isPrivate && refusals.isSilenced(chatId)) return () => undefined;
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
        bot.api.sendChatAction(chatId, "typing", topic).then(
          () => {
            isWaiting = false;
            refusals.forget(chatId);
          },
          (error: unknown) => {
            stop();
            if (!isPrivate) refusals.note(chatId);
            log.debug(
              { err: reportFault(`Showing "typing" in Telegram chat ${chatId}`, error) },
              "no typing indicator",
            );
          },
        );
      }

      return stop;
    },
  };
}

function stopAll(shown: ReadonlySet<() => void>): void {
  for (const stop of [...shown]) stop();
}
