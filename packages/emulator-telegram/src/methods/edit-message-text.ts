import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { accept, refuseRequest } from "../answers/answer.ts";
import { isOwn } from "../chats/message.ts";
import { checkReplyMarkup, findInlineKeyboard, inlineKeyboardSchema } from "../parameters/reply-markup.ts";
import { announceEdit } from "../rooms/room-post.ts";
import { entitySchema } from "../text/entity.ts";
import { parseFormattedText } from "../text/formatted-text.ts";
import { resolveChat } from "./chat-access.ts";
import type { Method } from "./method.ts";

const entitiesSchema = z.array(entitySchema);

const NOT_MODIFIED_TEXT =
  "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";

export const editMessageText: Method = (call) => {
  const { bot, read, platform } = call;
  const chatId = read.chatId("chat_id");
  const messageId = read.integer("message_id");
  const text = read.text("text");
  const parseMode = read.text("parse_mode");
  const entities = read.json("entities", entitiesSchema, "MessageEntity");
  const markup = read.json("reply_markup", inlineKeyboardSchema, "inline keyboard");
  read.ignore("link_preview_options");
  read.lack("business_connection_id", "inline_message_id", "rich_message");
  const refusal = read.refusal() ?? checkReplyMarkup(markup);
  if (refusal !== undefined) return refusal;

  const formatted = parseFormattedText({ text, parseMode, entities });
  if (!formatted.ok) return formatted;
  const chat = resolveChat(call, chatId, "edit");
  if ("ok" in chat) return chat;
  if (messageId === undefined) return refuseRequest("message identifier is not specified");
  const message = chat.find(messageId);
  if (message === undefined) return refuseRequest("message to edit not found");
  if (!isOwn(message, bot.id)) return refuseRequest("message can't be edited");
  if (message.content !== undefined) return refuseRequest("there is no text in the message to edit");
  const keyboard = findInlineKeyboard(markup);
  const isSame =
    message.text === formatted.text &&
    isDeepStrictEqual(message.entities, formatted.entities) &&
    isDeepStrictEqual(message.replyMarkup, keyboard);
  if (isSame) return refuseRequest(NOT_MODIFIED_TEXT);
  const edited = chat.edit(message, formatted.text, formatted.entities, keyboard, platform.clock.nowMs());
  if (chat.kind !== "private") announceEdit(platform, chat, edited);
  return accept(chat.buildWire(edited));
};
