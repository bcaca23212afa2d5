import type { Clock } from "@banyan/plugin-sdk";
import { GrowingText } from "@banyan/plugin-sdk/kit";

/** A short answer is there by then, whole. */
const FIRST_AFTER_MS = 1_500;
/** Discord allows about five messages and edits in five seconds in a channel, and others want to be sent as well. */
const EDIT_EVERY_MS = 2_000;

/** Paces one growing answer. `show` must not reject; it resolves when the text stands there, or will not. */
export function createLiveDraft(clock: Clock, show: (text: string) => Promise<void>): GrowingText {
  return new GrowingText({
    clock,
    firstAfterMs: FIRST_AFTER_MS,
    nextAfterMs: () => EDIT_EVERY_MS,
    async show(text) {
      await show(text);
      return undefined;
    },
  });
}
