import { z } from "zod";
import { accept, type Refusal, refuseRequest } from "../answers/answer.ts";
import type { MessageDraft, WireMessage } from "../chats/message.ts";
import { checkReplyMarkup, findInlineKeyboard, replyMarkupSchema } from "../parameters/reply-markup.ts";
import { postMessage } from "../rooms/room-post.ts";
import { entitySchema } from "../text/entity.ts";
import { parseFormattedText } from "../text/formatted-text.ts";
import { type Place, resolveChat } from "./chat-access.ts";
import type { Call, Method } from "./method.ts";
import { replySchema, resolveReply } from "./reply-target.ts";

const entitiesSchema = z.array(entitySchema);

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
  const place = resolveChat(call, chatId);
  if ("ok" in place) return place;
  const thread = resolveThread(place, threadId);
  if ("ok" in thread) return thread;
  const replied = reply === undefined ? {} : resolveReply(call, place, reply);
  if ("ok" in replied) return replied;

  const keyboard = findInlineKeyboard(markup);
  const extra = { ...thread, ...replied.extra };
  const draft: MessageDraft = {
    author: "bot",
    text: formatted.text,
    entities: formatted.entities,
    ...(replied.replyTo !== undefined && { replyTo: replied.replyTo }),
    ...(keyboard !== undefined && { replyMarkup: keyboard }),
    ...(Object.keys(extra).length > 0 && { extra }),
    atMs: platform.clock.nowMs(),
  };
  return accept(send(call, place, draft));
};

function send({ bot, platform }: Call, place: Place, draft: MessageDraft): WireMessage {
  if (place.kind === "private") {
    const message = place.add(draft);
    platform.onSent?.({ userId: place.person.profile.id, text: draft.text });
    return place.buildWire(message);
  }
  const sender = place.kind === "channel" ? { sender_chat: place.profile } : { from: bot.profile };
  return place.buildWire(postMessage(platform, place, { ...draft, authorId: bot.id, sender }));
}

/** Threads are in supergroups only, and begin with a message. Forum topics are not emulated yet. */
function resolveThread(place: Place, threadId: number | undefined): { message_thread_id?: number } | Refusal {
  if (threadId === undefined || threadId === 0) return {};
  const isThere = place.kind === "supergroup" && place.find(threadId) !== undefined;
  return isThere ? { message_thread_id: threadId } : refuseRequest("message thread not found");
}
