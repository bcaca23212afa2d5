import { type Address, type ChatKind, formatAddress } from "@banyan/plugin-sdk";
import type { Chat, Message } from "grammy/types";

const KINDS: Readonly<Record<Chat["type"], ChatKind>> = {
  private: "dm",
  group: "group",
  supergroup: "group",
  channel: "channel",
};

export function resolveChatKind(chat: Pick<Chat, "type">): ChatKind {
  return KINDS[chat.type];
}

/**
 * Where a message is. Replies in ordinary supergroups carry a thread id, too, so only the flag makes a topic of it; a
 * forum's General topic has neither.
 */
export function formatMessageAddress(account: string, message: Message): Address {
  const { chat, is_topic_message: isTopic, message_thread_id: threadId } = message;
  const place = { channel: "telegram", account, kind: resolveChatKind(chat), chat: String(chat.id) } as const;
  return formatAddress(isTopic && threadId !== undefined ? { ...place, thread: String(threadId) } : place);
}

/** A chat for the log: its kind, its title, its id. */
export function describeChat(chat: Chat): string {
  const title = chat.title === undefined ? "" : ` ${JSON.stringify(chat.title.slice(0, 100))}`;
  return `the ${resolveChatKind(chat)}${title} (${chat.id})`;
}
