/** What all methods that send have in common: where to, in answer to what, with which buttons. */
import { type Answer, accept, type Refusal, refuseRequest } from "../answers/answer.ts";
import type { MessageDraft, WireFields, WireMessage } from "../chats/message.ts";
import { findNamedThread } from "../chats/topic-list.ts";
import type { ParameterReader } from "../parameters/parameter-reader.ts";
import { findInlineKeyboard, type ReplyMarkup, replyMarkupSchema } from "../parameters/reply-markup.ts";
import { postMessage } from "../rooms/room-post.ts";
import { mayManageTopics } from "../rooms/topic-change.ts";
import type { Entity } from "../text/entity.ts";
import { type Place, resolveChat } from "./chat-access.ts";
import { resolveTopic } from "./forum-topic.ts";
import type { Call } from "./method.ts";
import { type Reply, replySchema, resolveReply } from "./reply-target.ts";

export interface SendTarget {
  readonly chatId: number | string | undefined;
  readonly threadId: number | undefined;
  readonly reply: Reply | undefined;
  readonly markup: ReplyMarkup | undefined;
}

export interface SendContent {
  readonly text: string;
  readonly entities: readonly Entity[];
  /** What the text is the caption of. */
  readonly content?: WireFields;
}

export function readSendTarget(read: ParameterReader): SendTarget {
  read.ignore("disable_notification", "protect_content", "allow_paid_broadcast", "message_effect_id");
  read.lack("business_connection_id", "direct_messages_topic_id", "suggested_post_parameters");
  return {
    chatId: read.chatId("chat_id"),
    threadId: read.integer("message_thread_id"),
    reply: read.json("reply_parameters", replySchema, "ReplyParameters"),
    markup: read.json("reply_markup", replyMarkupSchema, "reply markup"),
  };
}

/** Sends what was read and checked, or says what stands in the way there. */
export function sendContent(call: Call, target: SendTarget, content: SendContent): Answer {
  const place = resolveChat(call, target.chatId);
  if ("ok" in place) return place;
  const thread = resolveThread(call, place, target.threadId ?? findRepliedTopic(place, target.reply));
  if ("ok" in thread) return thread;
  const replied = target.reply === undefined ? {} : resolveReply(call, place, target.reply);
  if ("ok" in replied) return replied;

  const keyboard = findInlineKeyboard(target.markup);
  const extra = { ...thread, ...replied.extra };
  const draft: MessageDraft = {
    author: "bot",
    text: content.text,
    entities: content.entities,
    ...(content.content !== undefined && { content: content.content }),
    ...(replied.replyTo !== undefined && { replyTo: replied.replyTo }),
    ...(keyboard !== undefined && { replyMarkup: keyboard }),
    ...(Object.keys(extra).length > 0 && { extra }),
    atMs: call.platform.clock.nowMs(),
  };
  // The message has come in their place.
  if (place.kind === "private") place.drafts.clear(target.threadId);
  return accept(send(call, place, draft));
}

function send({ bot, platform }: Call, place: Place, draft: MessageDraft): WireMessage {
  if (place.kind === "private") {
    const message = place.add(draft);
    platform.onSent?.({ userId: place.person.profile.id, text: draft.text });
    return place.buildWire(message);
  }
  const sender = place.kind === "channel" ? { sender_chat: place.profile } : { from: bot.profile };
  return place.buildWire(postMessage(platform, place, { ...draft, authorId: bot.id, sender }));
}

/** What answers something is in the topic of that, and is refused where that takes nothing. */
function findRepliedTopic(place: Place, reply: Reply | undefined): number | undefined {
  if (!place.isForum || reply === undefined || reply.chat_id !== undefined) return undefined;
  const replied = place.find(reply.message_id);
  // A thread of replies in General is no topic.
  const threadId = replied && findNamedThread(replied);
  return threadId !== undefined && place.topics.has(threadId) ? threadId : undefined;
}

/** Threads are in supergroups, and begin with a message; where there are topics they are those, and General has no id. */
function resolveThread(
  { bot }: Call,
  place: Place,
  threadId: number | undefined,
): { message_thread_id?: number } | Refusal {
  if (threadId === undefined || threadId === 0) return {};
  if (place.isForum) {
    const topic = resolveTopic(place, threadId);
    // In private chats what is meant for no topic that is there goes to the chat itself.
    if ("ok" in topic) return place.kind === "private" ? {} : topic;
    const isShut = topic.isClosed && !mayManageTopics(place, bot.id);
    return isShut ? refuseRequest("TOPIC_CLOSED") : { message_thread_id: topic.id };
  }
  const isThere = place.kind === "supergroup" && place.find(threadId) !== undefined;
  return isThere ? { message_thread_id: threadId } : refuseRequest("message thread not found");
}
