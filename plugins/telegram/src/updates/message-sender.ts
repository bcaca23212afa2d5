import type { Sender } from "@banyan/plugin-sdk";
import type { Chat, Message, User } from "grammy/types";

/**
 * Who a message is from. What is written in a chat's name (by an anonymous admin, a linked channel or as a channel
 * post) has the chat as its sender: the user beside it is one of Telegram's stand-ins, the same for everybody.
 */
export function readSender({ from, sender_chat: chat, chat: place }: Message): Sender {
  if (chat !== undefined) return { id: String(chat.id), displayName: formatChatName(chat) };
  if (from === undefined) return { id: String(place.id), displayName: formatChatName(place) };
  const sender = { id: String(from.id), displayName: formatUserName(from) };
  return from.is_bot ? { ...sender, isBot: true } : sender;
}

export function formatUserName(user: Pick<User, "first_name" | "last_name">): string {
  return user.last_name === undefined ? user.first_name : `${user.first_name} ${user.last_name}`;
}

export function formatChatName(chat: Chat): string {
  return chat.title ?? chat.first_name ?? String(chat.id);
}
