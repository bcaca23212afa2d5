import { accept, refuseRequest } from "../answers/answer.ts";
import { isOwn } from "../chats/message.ts";
import { checkReplyMarkup, findInlineKeyboard, inlineKeyboardSchema } from "../parameters/reply-markup.ts";
import { announceEdit } from "../rooms/room-post.ts";
import { parseCaption, readCaption } from "./caption.ts";
import { resolveChat } from "./chat-access.ts";
import type { Method } from "./method.ts";

export const editMessageCaption: Method = (call) => {
  const { bot, read, platform } = call;
  const chatId = read.chatId("chat_id");
  const messageId = read.integer("message_id");
  const caption = readCaption(read);
  const markup = read.json("reply_markup", inlineKeyboardSchema, "inline keyboard");
  read.lack("business_connection_id", "inline_message_id", "show_caption_above_media");
  const refusal = read.refusal() ?? checkReplyMarkup(markup);
  if (refusal !== undefined) return refusal;

  const formatted = parseCaption(caption);
  if (!formatted.ok) return formatted;
  const chat = resolveChat(call, chatId, "edit");
  if ("ok" in chat) return chat;
  if (messageId === undefined) return refuseRequest("message identifier is not specified");
  const message = chat.find(messageId);
  if (message === undefined) return refuseRequest("message to edit not found");
  if (!isOwn(message, bot.id) || message.content === undefined) return refuseRequest("message can't be edited");
  const { text, entities } = formatted;
  const edited = chat.edit(message, text, entities, findInlineKeyboard(markup), platform.clock.nowMs());
  if (chat.kind !== "private") announceEdit(platform, chat, edited);
  return accept(chat.buildWire(edited));
};
