import { z } from "zod";
import { accept, type Refusal, refuseRequest } from "../answers/answer.ts";
import type { Chat } from "../chats/chat.ts";
import { checkReplyMarkup, findInlineKeyboard, replyMarkupSchema } from "../parameters/reply-markup.ts";
import { entitySchema } from "../text/entity.ts";
import { parseFormattedText } from "../text/formatted-text.ts";
import { resolveChat } from "./chat-access.ts";
import type { Method } from "./method.ts";

const entitiesSchema = z.array(entitySchema);

const replySchema = z.strictObject({
  message_id: z.int(),
  chat_id: z.union([z.int(), z.string()]).optional(),
  allow_sending_without_reply: z.boolean().optional(),
  quote: z.string().optional(),
  quote_parse_mode: z.string().optional(),
  quote_entities: z.array(entitySchema).optional(),
  quote_position: z.int().optional(),
  checklist_task_id: z.int().optional(),
  poll_option_id: z.string().optional(),
});

export const sendMessage: Method = (call) => {
  const { read, platform } = call;
  const chatId = read.chatId("chat_id");
  const text = read.text("text");
  const parseMode = read.text("parse_mode");
  const entities = read.json("entities", entitiesSchema, "MessageEntity");
  const reply = read.json("reply_parameters", replySchema, "ReplyParameters");
  const markup = read.json("reply_markup", replyMarkupSchema, "reply markup");
  const threadId = read.integer("message_thread_id");
  read.ignore("link_preview_options", "disable_notification", "protect_content", "allow_paid_broadcast");
  read.ignore("message_effect_id");
  read.lack("business_connection_id", "direct_messages_topic_id", "suggested_post_parameters");
  const refusal = read.refusal() ?? checkReplyMarkup(markup);
  if (refusal !== undefined) return refusal;

  const formatted = parseFormattedText({ text, parseMode, entities });
  if (!formatted.ok) return formatted;
  const chat = resolveChat(call, chatId);
  if ("ok" in chat) return chat;
  if (threadId !== undefined && threadId !== 0) return refuseRequest("message thread not found");
  const replyTo = reply === undefined ? undefined : resolveReply(chat, reply);
  if (typeof replyTo === "object") return replyTo;

  const keyboard = findInlineKeyboard(markup);
  const message = chat.add({
    author: "bot",
    text: formatted.text,
    entities: formatted.entities,
    ...(replyTo !== undefined && { replyTo }),
    ...(keyboard !== undefined && { replyMarkup: keyboard }),
    atMs: platform.clock.nowMs(),
  });
  platform.onSent?.({ userId: chat.person.profile.id, text: formatted.text });
  return accept(chat.buildWire(message));
};

/** Undefined where the target is gone and the bot wants the message sent all the same. */
function resolveReply(chat: Chat, reply: z.infer<typeof replySchema>): number | undefined | Refusal {
  const target = chat.find(reply.message_id);
  if (target === undefined) {
    return reply.allow_sending_without_reply === true ? undefined : refuseRequest("message to be replied not found");
  }
  if (reply.quote !== undefined && !target.text.includes(reply.quote)) return refuseRequest("QUOTE_TEXT_INVALID");
  return reply.message_id;
}
