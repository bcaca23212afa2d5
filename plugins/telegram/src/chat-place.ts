import { type Address, ChannelError, parseAddress } from "@banyan/plugin-sdk";

/** Where a message goes, as the Bot API's methods take it. */
export interface ChatPlace {
  readonly chatId: number;
  readonly isPrivate: boolean;
  /** To be spread into a call's parameters. */
  readonly topic: { readonly message_thread_id?: number };
}

/** A forum's General topic: what is sent there with its id is refused, and without one arrives there. */
const GENERAL_TOPIC = "1";

/** The place of an address. Throws a `permanent` `ChannelError` for one that is not of Telegram. */
export function parseChatPlace(address: Address): ChatPlace {
  const { channel, kind, chat, thread } = parseAddress(address);
  const chatId = Number(chat);
  const threadId = Number(thread ?? 0);
  if (channel !== "telegram" || !Number.isSafeInteger(chatId) || !Number.isSafeInteger(threadId)) {
    throw new ChannelError(
      "permanent",
      `Sending to ${address}: this is no Telegram address; use one that was received`,
    );
  }
  const isPrivate = kind === "dm";
  const isTopic = thread !== undefined && (isPrivate || thread !== GENERAL_TOPIC);
  return { chatId, isPrivate, topic: isTopic ? { message_thread_id: threadId } : {} };
}
