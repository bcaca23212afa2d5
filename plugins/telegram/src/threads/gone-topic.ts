import { type Address, type ChannelContext, ChannelError } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";
import { formatTopicUrl } from "../buttons/run-keyboard.ts";
import type { ChatPlace } from "../chat-place.ts";
import { formatGoneNotice, formatShutNotice, type ShutTopics } from "./shut-topic.ts";
import { hasStrayed } from "./strayed-message.ts";
import { type ThreadParts, tryCall } from "./thread-parts.ts";

type Topic = ChatPlace["topic"];

export type TopicRescueParts = Pick<ThreadParts, "bot" | "fallback" | "log"> &
  Pick<ChannelContext<unknown>, "threadGone"> & { readonly shutTopics: Pick<ShutTopics, "note" | "noteOpen"> };

type Sent = Pick<Message, "message_id" | "message_thread_id">;

export interface TopicSending {
  /** May be called again where Telegram has refused it, for the same topic, or for none with a mark to put before it. */
  readonly send: (topic: Topic, mark: string) => Promise<Sent>;
  /** Puts the mark before what was sent already. */
  readonly remark: (sent: Sent, mark: string) => Promise<void>;
}

/** Sends a message to a topic. */
export type SendToTopic = (address: Address, place: ChatPlace, sending: TopicSending) => Promise<Sent>;

const CLOSED = "T20";
const UNCHANGED = "T22";
/** Together with the host's own mark within the 32 units that it keeps free. */
const GONE_MARK = "(topic gone)\n";
const SHUT_MARK = "(topic shut)\n";

/** What stands in the way of a message. */
interface Obstacle {
  readonly kind: "gone" | "shut";
  /** As Telegram has said it. */
  readonly error: unknown;
}

/**
 * A closed topic is opened again where the bot may, and the message is tried once more. One that is gone, or stays shut, is
 * bound to nobody any more, which is stored first; people in its chat are told once what is missing. The message then goes to
 * the chat that the topic is in, or nowhere, as `threads.fallback` says. Where Telegram has put it there by itself it gets
 * the mark there, or is deleted.
 */
export function createTopicRescue({ bot, fallback, log, threadGone, shutTopics }: TopicRescueParts): SendToTopic {
  /** In this order: where the process dies in between, the next message is refused and people are told then. */
  async function free(address: Address, { chatId, topic }: ChatPlace, kind: Obstacle["kind"]): Promise<void> {
    const due = fallback === "refuse" ? "goes nowhere" : "comes here";
    const ofGone = due === "goes nowhere" ? formatGoneNotice() : undefined;
    const notice = kind === "shut" ? formatShutNotice(formatTopicUrl(address), due) : ofGone;
    try {
      await threadGone(address, notice);
      if (kind === "shut") await shutTopics.note(chatId, topic.message_thread_id ?? 0);
    } catch (cause) {
      const what = `Sending to ${address}: its topic is ${kind}, which could not be stored; it is tried again`;
      throw new ChannelError("definite", what, { cause });
    }
  }

  /** It stands in the chat: what cannot be told of it there any more is told to the operator. */
  async function settleStray(address: Address, place: ChatPlace, sent: Sent, remark: TopicSending["remark"]) {
    const { chatId } = place;
    try {
      await free(address, place, "gone");
    } catch (error) {
      throw new ChannelError(
        "ambiguous",
        `Sending to ${address}: it is in the chat, and its topic is gone, which could not be stored`,
        {
          cause: error,
        },
      );
    }
    log.info({ address }, "a topic of a private Telegram chat is gone; what was meant for it is in the chat");
    const settling = fallback === "refuse" ? bot.api.deleteMessage(chatId, sent.message_id) : remark(sent, GONE_MARK);
    const settled = await tryCall<unknown>(settling);
    if ("error" in settled)
      log.warn(
        { err: settled.error, address },
        "a message outside its Telegram topic could not be changed; it stays as it is",
      );
    else if (fallback === "refuse")
      throw new ChannelError("thread_gone", `Sending to ${address}: its topic is gone; threads.fallback is "refuse"`);
    return sent;
  }

  return async (address, place, { send, remark }) => {
    const { chatId, topic, isPrivate } = place;
    const { message_thread_id: topicId } = topic;
    const first = await tryCall(send(topic, ""));
    if ("value" in first) {
      if (hasStrayed(place, first.value)) return settleStray(address, place, first.value, remark);
      if (topicId !== undefined) shutTopics.noteOpen(chatId, topicId);
      return first.value;
    }
    if (topicId === undefined || first.fault.class !== "thread_gone") throw first.error;
    // Bot API, "reopenForumTopic": only in supergroups.
    const isClosed = first.fault.row === CLOSED && !isPrivate;
    const end = isClosed ? await sendOpened(bot, place, first, send) : ({ kind: "gone", error: first.error } as const);
    if ("sent" in end) return end.sent;
    await free(address, place, end.kind);
    log.warn({ err: end.error, address }, `a Telegram topic is ${end.kind}; it takes no messages any more`);
    if (fallback === "refuse") throw end.error;
    return send({}, end.kind === "gone" ? GONE_MARK : SHUT_MARK);
  };
}

/** Opens the closed topic and tries once more. */
async function sendOpened(
  bot: ThreadParts["bot"],
  place: ChatPlace,
  closed: { readonly error: unknown },
  send: TopicSending["send"],
): Promise<{ readonly sent: Sent } | Obstacle> {
  const { chatId, topic } = place;
  const opened = await tryCall(bot.api.reopenForumTopic(chatId, topic.message_thread_id ?? 0));
  if ("error" in opened && opened.fault.row !== UNCHANGED) {
    if (opened.fault.class === "thread_gone") return { kind: "gone", error: opened.error };
    if (opened.fault.class === "permanent" || opened.fault.class === "chat_gone")
      return { kind: "shut", error: closed.error };
    if (opened.fault.class !== "ambiguous") throw opened.error;
    // Nothing of the message was taken, so nothing of it is unclear.
    const what = `Opening a closed topic in Telegram chat ${chatId}: ${opened.fault.what}; it is tried again`;
    throw new ChannelError("definite", what, { cause: opened.error });
  }
  const again = await tryCall(send(topic, ""));
  if ("value" in again) return { sent: again.value };
  if (again.fault.class !== "thread_gone") throw again.error;
  return { kind: again.fault.row === CLOSED ? "shut" : "gone", error: again.error };
}
