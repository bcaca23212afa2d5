import { z } from "zod";
import { type Refusal, refuseRequest } from "../answers/answer.ts";

/** A markup under a message; only an inline keyboard is part of the message and of the answer. */
export interface ReplyMarkup {
  readonly inline_keyboard?: readonly (readonly InlineButton[])[] | undefined;
  readonly [name: string]: unknown;
}

interface InlineButton {
  readonly text: string;
  readonly callback_data?: string | undefined;
  readonly [name: string]: unknown;
}

const CALLBACK_DATA_LIMIT_BYTES = 64;
/** Of one keyboard. */
const BUTTON_LIMIT = 100;

const buttonSchema: z.ZodType<InlineButton> = z.looseObject({
  text: z.string().min(1),
  callback_data: z.string().optional(),
});

export const inlineKeyboardSchema: z.ZodType<ReplyMarkup> = z.strictObject({
  inline_keyboard: z.array(z.array(buttonSchema)),
});

export const replyMarkupSchema: z.ZodType<ReplyMarkup> = z.union([
  inlineKeyboardSchema,
  z.looseObject({ keyboard: z.array(z.array(z.unknown())) }),
  z.looseObject({ remove_keyboard: z.literal(true) }),
  z.looseObject({ force_reply: z.literal(true) }),
]);

export function checkReplyMarkup(markup: ReplyMarkup | undefined): Refusal | undefined {
  const buttons = markup?.inline_keyboard?.flat() ?? [];
  if (buttons.length > BUTTON_LIMIT) return refuseRequest("reply markup is too long");
  for (const button of buttons) {
    const actions = Object.keys(button).filter((name) => !["text", "style", "icon_custom_emoji_id"].includes(name));
    if (actions.length !== 1) {
      return refuseRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
    }
    const sizeBytes = Buffer.byteLength(button.callback_data ?? "-");
    if (sizeBytes === 0 || sizeBytes > CALLBACK_DATA_LIMIT_BYTES) return refuseRequest("BUTTON_DATA_INVALID");
  }
  return undefined;
}

/** The button with that label below a message, as the message keeps it; without a label the first one that tells the bot. */
export function findButton(kept: unknown, label: string | undefined): InlineButton | undefined {
  const rows = inlineKeyboardSchema.safeParse(kept).data?.inline_keyboard ?? [];
  return rows.flat().find(({ text, callback_data }) => callback_data !== undefined && (label ?? text) === text);
}

/** The part of a markup that stays with the message; undefined for keyboards of the input field and for an empty one. */
export function findInlineKeyboard(markup: ReplyMarkup | undefined): ReplyMarkup | undefined {
  return markup?.inline_keyboard?.some((row) => row.length > 0) === true ? markup : undefined;
}
