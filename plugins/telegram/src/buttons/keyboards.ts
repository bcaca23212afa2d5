import type { OutboundMessage } from "@banyan/plugin-sdk";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { ButtonKey } from "./button-data.ts";
import { buildQuestionKeyboard } from "./question-keyboard.ts";
import { buildRunKeyboard } from "./run-keyboard.ts";
import { buildStopKeyboard } from "./stop-keyboard.ts";

/** What of a message may have buttons. */
export type Shown = Pick<OutboundMessage, "run" | "question">;

/** The buttons that an account puts below its messages. */
export interface Keyboards {
  /** Below what tells of a sub-agent, or asks. */
  buildKeyboard(shown: Shown): InlineKeyboardMarkup | undefined;
  /** Below an answer that grows in a message. */
  buildStop(draftId: number): InlineKeyboardMarkup | undefined;
}

/** `now`: milliseconds since the epoch. */
export function createKeyboards(key: ButtonKey, now: () => number): Keyboards {
  return {
    buildKeyboard({ run, question }) {
      if (question !== undefined) return buildQuestionKeyboard(question, { key });
      return run && buildRunKeyboard(run, { key, now: now() });
    },
    buildStop: (draftId) => buildStopKeyboard(draftId, { key, now: now() }),
  };
}
