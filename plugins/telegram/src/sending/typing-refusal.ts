import type { Clock } from "@banyan/plugin-sdk";

/** Groups where "typing …" keeps being refused, such as for a bot that may not write there: nobody is asked for a while. */
export interface TypingRefusals {
  isSilenced(chatId: number): boolean;
  note(chatId: number): void;
  forget(chatId: number): void;
}

const REFUSALS_LIMIT = 3;
const SILENCE_MS = 60 * 60_000;
/** Groups remembered; beyond it the one that was refused longest ago is asked again. */
const CHATS_LIMIT = 1_000;

export function createTypingRefusals(clock: Pick<Clock, "monotonic">): TypingRefusals {
  const chats = new Map<number, { readonly count: number; readonly lastAt: number }>();
  return {
    isSilenced(chatId) {
      const refused = chats.get(chatId);
      if (refused === undefined) return false;
      return refused.count >= REFUSALS_LIMIT && clock.monotonic() - refused.lastAt < SILENCE_MS;
    },
    note(chatId) {
      const count = (chats.get(chatId)?.count ?? 0) + 1;
      chats.delete(chatId);
      chats.set(chatId, { count, lastAt: clock.monotonic() });
      const [oldest] = chats.keys();
      if (chats.size > CHATS_LIMIT && oldest !== undefined) chats.delete(oldest);
    },
    forget(chatId) {
      chats.delete(chatId);
    },
  };
}
