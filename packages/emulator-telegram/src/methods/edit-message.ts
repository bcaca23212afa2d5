import { isDeepStrictEqual } from "node:util";
import { type Answer, accept, type Refusal, refuseRequest } from "../answers/answer.ts";
import { type ChatMessage, isOwn } from "../chats/message.ts";
import type { ParameterReader } from "../parameters/parameter-reader.ts";
import {
  checkReplyMarkup,
  findInlineKeyboard,
  inlineKeyboardSchema,
  type ReplyMarkup,
} from "../parameters/reply-markup.ts";
import { announceEdit } from "../rooms/room-post.ts";
import type { FormattedText } from "../text/formatted-text.ts";
import { resolveChat } from "./chat-access.ts";
import type { Call } from "./method.ts";

export interface EditTarget {
  readonly chatId: number | string | undefined;
  readonly messageId: number | undefined;
  readonly markup: ReplyMarkup | undefined;
}

export interface Edit {
  readonly target: EditTarget;
  readonly parseWords: () => FormattedText | Refusal;
  /** What the message lacks that has such words; `undefined` where it has them. */
  readonly findLack: (message: ChatMessage) => string | undefined;
}

const NOT_MODIFIED_TEXT =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

export function readEditTarget(read: ParameterReader): EditTarget {
  read.lack("business_connection_id", "inline_message_id");
  return {
    chatId: read.chatId("chat_id"),
    messageId: read.integer("message_id"),
    markup: read.json("reply_markup", inlineKeyboardSchema, "inline keyboard"),
  };
}

/** What the methods that edit the words of a message have in common. */
export function editMessage(call: Call, { target, parseWords, findLack }: Edit): Answer {
  const { bot, read, platform } = call;
  const refusal = read.refusal() ?? checkReplyMarkup(target.markup);
  if (refusal !== undefined) return refusal;

  const words = parseWords();
  if (!words.ok) return words;
  const chat = resolveChat(call, target.chatId, "edit");
  if ("ok" in chat) return chat;
  if (target.messageId === undefined) return refuseRequest("message identifier is not specified");
  const message = chat.find(target.messageId);
  if (message === undefined) return refuseRequest("message to edit not found");
  if (!isOwn(message, bot.id)) return refuseRequest("message can't be edited");
  const lack = findLack(message);
  if (lack !== undefined) return refuseRequest(lack);
  const keyboard = findInlineKeyboard(target.markup);
  const isSame =
    message.text === words.text &&
    isDeepStrictEqual(message.entities, words.entities) &&
    isDeepStrictEqual(message.replyMarkup, keyboard);
  if (isSame) return refuseRequest(NOT_MODIFIED_TEXT);
  const edited = chat.edit(message, words.text, words.entities, keyboard, platform.clock.nowMs());
  if (chat.kind !== "private") announceEdit(platform, chat, edited);
  return accept(chat.buildWire(edited));
}
