import { accept, refuseRequest } from "../answers/answer.ts";
import { GENERAL_TOPIC_ID } from "../chats/topic.ts";
import { resolveChat } from "./chat-access.ts";
import { resolveTopic } from "./forum-topic.ts";
import type { Method } from "./method.ts";

const ACTIONS: ReadonlySet<string | undefined> = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
]);

export const sendChatAction: Method = (call) => {
  const { read } = call;
  const chatId = read.chatId("chat_id");
  const action = read.text("action");
  const threadId = read.integer("message_thread_id");
  read.lack("business_connection_id");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  if (!ACTIONS.has(action)) return refuseRequest("wrong parameter action in request");
  const chat = resolveChat(call, chatId);
  if ("ok" in chat) return chat;
  // Unlike what is sent, this is taken for General by its id (T19).
  const isGeneral =
    threadId === undefined || threadId === 0 || (chat.kind !== "private" && threadId === GENERAL_TOPIC_ID);
  const topic = chat.isForum && !isGeneral ? resolveTopic(chat, threadId) : undefined;
  return topic !== undefined && "ok" in topic ? topic : accept(true);
};
