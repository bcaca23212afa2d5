import type { InlineKeyboardMarkup } from "grammy/types";
import { formatButtonData } from "./button-data.ts";
import { decideExpiry, type RunKeyboardOptions } from "./run-keyboard.ts";

/** The button below an answer that grows in a message, as Telegram's own below a draft. For all who may talk there. */
export function buildStopKeyboard(draftId: number, { key, now }: RunKeyboardOptions): InlineKeyboardMarkup | undefined {
  const order = { action: "stop", runId: String(draftId), expiresAt: decideExpiry(now) } as const;
  const data = formatButtonData(order, key);
  return data === undefined ? undefined : { inline_keyboard: [[{ text: "Stop", callback_data: data }]] };
}
