import type { Message } from "grammy/types";
import type { ChatPlace } from "../chat-place.ts";

/**
 * Whether a message that was meant for a topic stands beside it. In private chats Telegram refuses no topic that is gone: it
 * answers ok and puts the message into the chat itself, so only what it answers tells.
 */
export function hasStrayed(
  { isPrivate, topic }: Pick<ChatPlace, "isPrivate" | "topic">,
  sent: Pick<Message, "message_thread_id">,
): boolean {
  const { message_thread_id: topicId } = topic;
  return isPrivate && topicId !== undefined && sent.message_thread_id !== topicId;
}
