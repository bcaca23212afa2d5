import type { ShownQuestion } from "@banyan/plugin-sdk";
import type { InlineKeyboardButton, InlineKeyboardMarkup } from "grammy/types";
import { type AnswerAction, formatButtonData } from "./button-data.ts";
import type { RunKeyboardOptions } from "./run-keyboard.ts";

/** In the order of the choices. */
const ANSWERS: readonly AnswerAction[] = ["answer 1", "answer 2", "answer 3", "answer 4"];
/** What the apps show of buttons side by side before they cut them. */
const ROW_CHARS = 30;

/** A button for each choice of a question, for the one who is asked; `undefined` where one of them does not fit. */
export function buildQuestionKeyboard(
  { questionId, choices, askedOf, expiresAt }: ShownQuestion,
  { key }: Pick<RunKeyboardOptions, "key">,
): InlineKeyboardMarkup | undefined {
  const buttons = choices.flatMap(({ label }, at): readonly InlineKeyboardButton[] => {
    const action = ANSWERS[at];
    const order = { runId: questionId, expiresAt, ...(askedOf !== undefined && { userId: askedOf }) };
    const data = action && formatButtonData({ action, ...order }, key);
    return data === undefined ? [] : [{ text: label, callback_data: data }];
  });
  // A question that can be answered in one way only is none.
  if (buttons.length < choices.length) return undefined;
  const isShort = choices.reduce((sum, { label }) => sum + label.length, 0) <= ROW_CHARS;
  return { inline_keyboard: isShort ? [[...buttons]] : buttons.map((button) => [button]) };
}
