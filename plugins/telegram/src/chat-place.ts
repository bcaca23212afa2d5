import { type Address, ChannelError, formatAddress, parseAddress } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";

/** Where a message goes, as the Bot API's methods take it. */
export interface ChatPlace {
  readonly chatId: number;
  /** To be spread into a call's parameters. */
  readonly topic: { readonly message_thread_id?: number };
}

/** The place of an address. Throws a `permanent` `ChannelError` for one that is not of Telegram. */
export function parseChatPlace(address: Address): ChatPlace {
  const { channel, chat, thread } = parseAddress(address);
  const chatId = Number(chat);
  const threadId = Number(thread ?? 0);
  if (channel !== "telegram" || !Number.isSafeInteger(chatId) || !Number.isSafeInteger(threadId)) {
    throw new ChannelError(
      "permanent",
      `Sending to ${address}: this is no Telegram address; use one that was received`,
    );
  }
  return { chatId, topic: thread === undefined ? {} : { message_thread_id: threadId } };
}

/** The address of a private chat. It can have topics; a thread id alone also marks ordinary replies, so the flag counts. */
export function formatPrivateAddress(account: string, message: Message): Address {
  const place = { channel: "telegram", account, kind: "dm", chat: String(message.chat.id) } as const;
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  return formatAddress(thread === undefined ? place : { ...place, thread: String(thread) });
}
