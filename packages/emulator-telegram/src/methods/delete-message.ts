import { accept, refuseRequest } from "../answers/answer.ts";
import { hasRight } from "../chats/membership.ts";
import { isOwn } from "../chats/message.ts";
import type { Room } from "../chats/room.ts";
import { resolveChat } from "./chat-access.ts";
import type { Method } from "./method.ts";

/** Older messages cannot be deleted by a bot. */
const DELETE_LIMIT_MS = 48 * 60 * 60 * 1000;

export const deleteMessage: Method = (call) => {
  const { bot, read, platform } = call;
  const chatId = read.chatId("chat_id");
  const messageId = read.integer("message_id");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  const chat = resolveChat(call, chatId, "edit");
  if ("ok" in chat) return chat;
  if (messageId === undefined) return refuseRequest("message identifier is not specified");
  const message = chat.find(messageId);
  if (message === undefined) return refuseRequest("message to delete not found");
  if (chat.kind !== "private" && !isOwn(message, bot.id) && !mayDelete(chat, bot.id)) {
    return refuseRequest("message can't be deleted");
  }
  const nowMs = platform.clock.nowMs();
  if (nowMs - (message.versions[0]?.atMs ?? nowMs) > DELETE_LIMIT_MS) return refuseRequest("message can't be deleted");
  chat.delete(message, nowMs);
  return accept(true);
};

function mayDelete(room: Room, botId: number): boolean {
  const membership = room.members.get(botId);
  return membership !== undefined && hasRight(membership, room.kind, "can_delete_messages");
}
