/** Topics that are closed and that the bot may not open: what people write there could not be answered there. */
import { type Clock, isAddress } from "@banyan/plugin-sdk";
import { parseChatPlace } from "../chat-place.ts";
import type { ThreadBook } from "./thread-book.ts";
import { putEntry, type ThreadEntry } from "./thread-entry.ts";

/**
 * Telegram reports for a day what becomes of a topic and of the bot's rights, also to a bot that was down. After that a
 * message is answered, and its refusal marks the topic once more.
 */
const LONGEST_SHUT_MS = 24 * 60 * 60_000;

/** Stored with the account's threads, so another life knows them too. */
export interface ShutTopics {
  /** Resolves when it is stored. */
  note(chatId: number, topicId: number): Promise<void>;
  /** The topic of the address, or the one that its chain of replies is in. */
  isShut(address: string): boolean;
  /** The topic, or each one of the chat, may take messages again. Stored with the next write: what is lost of it only costs a refusal. */
  noteOpen(chatId: number, topicId?: number): void;
}

export function createShutTopics(book: ThreadBook, clock: Pick<Clock, "now">): ShutTopics {
  function isFresh({ at }: ThreadEntry): boolean {
    return Math.abs(clock.now() - at) < LONGEST_SHUT_MS;
  }
  return {
    async note(chatId, topicId) {
      const entry = { bindingId: `shut ${chatId}/${topicId}`, chatId, shutTopic: topicId, at: clock.now() };
      await book.store((entries) => putEntry(entries, entry));
    },
    isShut(address) {
      const place = findTopic(address);
      return place !== undefined && book.entries.some((entry) => isOf(entry, ...place) && isFresh(entry));
    },
    noteOpen(chatId, topicId) {
      if (!book.entries.some((entry) => isOf(entry, chatId, topicId))) return;
      book.note((entries) => entries.filter((entry) => !isOf(entry, chatId, topicId)));
    },
  };
}

function isOf({ chatId, shutTopic }: ThreadEntry, chat: number, topicId: number | undefined): boolean {
  return shutTopic !== undefined && chatId === chat && (topicId === undefined || shutTopic === topicId);
}

function findTopic(address: string): readonly [chatId: number, topicId: number] | undefined {
  if (!isAddress(address)) return undefined;
  const { chatId, topic } = parseChatPlace(address);
  return topic.message_thread_id === undefined ? undefined : [chatId, topic.message_thread_id];
}

/** `comes here`: to the chat that the topic is in. */
export type TopicDue = "comes here" | "goes nowhere";

const DUE: Readonly<Record<TopicDue, string>> = {
  "comes here": "What is due there comes here.",
  "goes nowhere": 'What is due there is not sent to another place (`threads.fallback` is "refuse").',
};

/** What people in the chat are told, with what is missing. `url`: of the topic, where it has one. */
export function formatShutNotice(url: string | undefined, due: TopicDue): string {
  const topic = url === undefined ? "a topic of this chat" : `[a topic of this chat](${url})`;
  return `I can't write in ${topic} any more: it is closed, and I lack the right "Manage Topics" to open it. Open it, or give me that right. ${DUE[due]}`;
}

/** The same of one that is deleted, where nothing of it comes to the chat. */
export function formatGoneNotice(): string {
  return `A topic of this chat is deleted. ${DUE["goes nowhere"]}`;
}
