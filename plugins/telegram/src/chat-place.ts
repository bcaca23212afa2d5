import { type Address, type AddressParts, ChannelError, formatAddress, parseAddress } from "@banyan/plugin-sdk";

/** Where a message goes, as the Bot API's methods take it. */
export interface ChatPlace {
  readonly chatId: number;
  readonly isPrivate: boolean;
  /** To be spread into a call's parameters. */
  readonly topic: { readonly message_thread_id?: number };
  /** Of a chain of replies: the message that it began with, which all in it answer; not where that is in another chat by now. */
  readonly starterId?: number;
}

/** A forum's General topic: what is sent there with its id is refused, and without one arrives there. */
const GENERAL_TOPIC = "1";
/**
 * A topic's id, the first message of a chain of replies, or both where the chain is in a topic. In a basic group the number
 * of that stands behind it: the group may become a supergroup, where another message has that id.
 */
const THREAD = /^(\d{1,15})?(?:re(\d{1,15})(?:g(\d{1,15}))?)?$/;
/** Supergroups and channels are below it (Bot API, "Dialog identifiers"). */
const LOWEST_BASIC_GROUP = -999_999_999_999;

/** A group that may become a supergroup, under another id. */
export function isBasicGroup(chatId: number): boolean {
  return chatId < 0 && chatId >= LOWEST_BASIC_GROUP;
}

/** The place of an address. Throws a `permanent` `ChannelError` for one that is not of Telegram. */
export function parseChatPlace(address: Address): ChatPlace {
  const { channel, kind, chat, thread } = parseAddress(address);
  const chatId = Number(chat);
  const found = thread === undefined ? [] : THREAD.exec(thread);
  if (channel !== "telegram" || !Number.isSafeInteger(chatId) || found === null) {
    throw new ChannelError(
      "permanent",
      `Sending to ${address}: this is no Telegram address; use one that was received`,
    );
  }
  const [, topic, starter, group] = found;
  const isPrivate = kind === "dm";
  const isTopic = topic !== undefined && (isPrivate || topic !== GENERAL_TOPIC);
  return {
    chatId,
    isPrivate,
    topic: isTopic ? { message_thread_id: Number(topic) } : {},
    ...(starter !== undefined && (group === undefined || -group === chatId) && { starterId: Number(starter) }),
  };
}

/** The address of a topic of the chat that `near` is in. */
export function formatTopicAddress(near: Address, topicId: number): Address {
  return formatAddress({ ...parseAddress(near), thread: String(topicId) });
}

/** The address of the chain of replies that begins with a message in a chat or in one of its topics. */
export function formatChainAddress(place: AddressParts, starterId: number): Address {
  const [, topic = ""] = THREAD.exec(place.thread ?? "") ?? [];
  const chatId = Number(place.chat);
  const group = isBasicGroup(chatId) ? `g${-chatId}` : "";
  return formatAddress({ ...place, thread: `${topic}re${starterId}${group}` });
}
