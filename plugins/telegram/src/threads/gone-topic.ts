import { type Address, type ChannelContext, ChannelError } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";
import type { ChatPlace } from "../chat-place.ts";
import { hasStrayed } from "./strayed-message.ts";
import { type ThreadParts, tryCall } from "./thread-parts.ts";

type Topic = ChatPlace["topic"];

export type TopicRescueParts = Pick<ThreadParts, "bot" | "fallback" | "log"> &
  Pick<ChannelContext<unknown>, "threadGone">;

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
const LOST =
  'A topic of this chat is deleted or closed. What is due there is not sent to another place (`threads.fallback` is "refuse").';

/**
 * A closed topic is opened again where the bot may. One that is gone is bound to nobody any more, which is stored first; the
 * message then goes to the chat that the topic was in, or nowhere, as `threads.fallback` says. Where Telegram has put it
 * there by itself it gets the mark there, or is deleted.
 */
export function createTopicRescue({ bot, fallback, log, threadGone }: TopicRescueParts): SendToTopic {
  async function reopen({ chatId, topic, isPrivate }: ChatPlace): Promise<boolean> {
    // Bot API, "reopenForumTopic": only in supergroups.
    if (isPrivate) return false;
    const tried = await tryCall(bot.api.reopenForumTopic(chatId, topic.message_thread_id ?? 0));
    return "value" in tried || tried.fault.row === UNCHANGED;
  }

  async function free(address: Address): Promise<void> {
    try {
      await threadGone(address, fallback === "refuse" ? LOST : undefined);
    } catch (cause) {
      const what = `Sending to ${address}: its topic is gone, which could not be stored; it is tried again`;
      throw new ChannelError("definite", what, { cause });
    }
  }

  /** It stands in the chat: what cannot be told of it there any more is told to the operator. */
  async function settleStray(address: Address, { chatId }: ChatPlace, sent: Sent, remark: TopicSending["remark"]) {
    try {
      await free(address);
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
    const { topic } = place;
    const first = await tryCall(send(topic, ""));
    if ("value" in first)
      return hasStrayed(place, first.value) ? settleStray(address, place, first.value, remark) : first.value;
    if (topic.message_thread_id === undefined || first.fault.class !== "thread_gone") throw first.error;
    if (first.fault.row === CLOSED && (await reopen(place))) {
      const again = await tryCall(send(topic, ""));
      if ("value" in again) return again.value;
      if (again.fault.class !== "thread_gone") throw again.error;
    }
    await free(address);
    if (fallback === "refuse") throw first.error;
    log.info({ address }, "a Telegram topic is gone; what was meant for it goes to its chat");
    return send({}, GONE_MARK);
  };
}
