import { accept, refuseRequest } from "../answers/answer.ts";
import { resolveChat } from "./chat-access.ts";
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
  read.ignore("message_thread_id");
  read.lack("business_connection_id");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  if (!ACTIONS.has(action)) return refuseRequest("wrong parameter action in request");
  const chat = resolveChat(call, chatId);
  return "ok" in chat ? chat : accept(true);
};
