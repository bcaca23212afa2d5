import type { ShownQuestion } from "@banyan/plugin-sdk";
import { type AnswerAction, type ButtonKey, formatButtonId } from "../commands/button-id.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import type { MessageLook } from "../sending/message-sender.ts";
import { isSnowflake } from "../snowflake.ts";
import { buildChoiceRow } from "./card-button.ts";

/** In the order of the choices. */
const ANSWERS: readonly AnswerAction[] = ["answer 1", "answer 2", "answer 3", "answer 4"];

/** A question with a button for each choice, for the one who is asked; `undefined` where one of them does not fit. */
export function buildQuestionLook(
  text: string,
  { questionId, choices, askedOf = "", expiresAt }: ShownQuestion,
  key: ButtonKey,
): MessageLook | undefined {
  const buttons = choices.flatMap((choice, at) => {
    const action = ANSWERS[at];
    const order = { runId: questionId, expiresAt, ...(isSnowflake(askedOf) && { userId: askedOf }) };
    const id = action && formatButtonId({ action, ...order }, key);
    return id === undefined ? [] : [{ ...choice, id }];
  });
  if (buttons.length < choices.length) return undefined;
  return { content: renderMarkdown(text), extras: { components: [buildChoiceRow(buttons)] } };
}
