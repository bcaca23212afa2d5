/**
 * What Telegram tells of topics by itself. It is nobody's word, so it reaches no agent (T24). Of its own deeds a bot is told
 * only these: telegram-bot-api, `Client::need_skip_update_message`.
 */
import type { Address, ChannelContext } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";
import type { BotIdentity } from "../updates/bot-identity.ts";
import { formatMessageAddress } from "../updates/chat-address.ts";
import type { ShutTopics } from "./shut-topic.ts";
import { findOpening, putEntry } from "./thread-entry.ts";
import { type ThreadParts, tryCall } from "./thread-parts.ts";
import { takeBack } from "./thread-withdrawal.ts";

export type TopicNews =
  | { readonly event: "opened"; readonly chatId: number; readonly topicId: number; readonly name: string }
  /** By somebody else than the bot. `isOwn`: the bot opened it, and may open it again whatever its rights are. */
  | { readonly event: "closed"; readonly chatId: number; readonly address: Address; readonly isOwn: boolean }
  | { readonly event: "reopened"; readonly chatId: number; readonly topicId: number }
  | { readonly event: "changed" };

/** `undefined` for a message that tells of no topic. */
export function readTopicNews(message: Message, me: BotIdentity): TopicNews | undefined {
  const { chat, from, message_thread_id: topicId, forum_topic_created: created } = message;
  const { forum_topic_closed: closed, forum_topic_edited: edited, forum_topic_reopened: reopened } = message;
  const isByBot = from?.id === me.id;
  if (created !== undefined && isByBot && topicId !== undefined)
    return { event: "opened", chatId: chat.id, topicId, name: created.name };
  if (closed !== undefined && !isByBot && topicId !== undefined) {
    const isOwn =
      message.reply_to_message?.forum_topic_created !== undefined && message.reply_to_message.from?.id === me.id;
    return { event: "closed", chatId: chat.id, address: formatMessageAddress(me.account, message), isOwn };
  }
  if (reopened !== undefined && topicId !== undefined) return { event: "reopened", chatId: chat.id, topicId };
  return (created ?? closed ?? edited ?? reopened) ? { event: "changed" } : undefined;
}

export type TopicNewsParts = ThreadParts &
  Pick<ChannelContext<unknown>, "threadGone"> & { readonly shutTopics: Pick<ShutTopics, "noteOpen"> };

/** Resolves when what has to be stored of it is; what else is to be done follows. Rejects where nothing could be stored. */
export async function takeTopicNews(news: TopicNews, parts: TopicNewsParts): Promise<void> {
  if (news.event === "opened") noteOpened(news, parts);
  if (news.event === "reopened") parts.shutTopics.noteOpen(news.chatId, news.topicId);
  if (news.event === "closed" && !news.isOwn && !(await mayReopen(news.chatId, parts)))
    await parts.threadGone(news.address);
}

/** It is stored with the batch that brought it; where that fails it comes again. */
function noteOpened(news: TopicNews & { readonly event: "opened" }, parts: ThreadParts): void {
  const { book, log } = parts;
  const opening = findOpening(book.entries, news);
  if (opening === undefined) return;
  const { bindingId } = opening;
  const { topicId } = news;
  book.note((entries) => putEntry(entries, { ...opening, topicId }));
  if (opening.isWithdrawn !== true) return;
  parts
    .inLine(() => takeBack(bindingId, parts))
    .catch((err: unknown) => log.warn({ err, bindingId }, "a topic of a spawn that came to nothing still stands"));
}

/** Where it cannot be found out the next message that is sent there finds out. */
async function mayReopen(chatId: number, { bot }: ThreadParts): Promise<boolean> {
  const tried = await tryCall(bot.api.getChatMember(chatId, bot.botInfo.id));
  if (!("value" in tried)) return true;
  const { value: me } = tried;
  return me.status === "creator" || (me.status === "administrator" && me.can_manage_topics === true);
}
