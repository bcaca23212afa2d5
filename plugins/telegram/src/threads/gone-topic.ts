import { type Address, type ChannelContext, ChannelError } from "@banyan/plugin-sdk";
import type { ChatPlace } from "../chat-place.ts";
import { type ThreadParts, tryCall } from "./thread-parts.ts";

type Topic = ChatPlace["topic"];

export type TopicRescueParts = Pick<ThreadParts, "bot" | "fallback" | "log"> &
  Pick<ChannelContext<unknown>, "threadGone">;

/**
 * Sends a message to a topic. `send` may be called again where Telegram has refused it, for the same topic, or for none with
 * a mark to put before it.
 */
export type SendToTopic = <Value>(
  address: Address,
  place: ChatPlace,
  send: (topic: Topic, mark: string) => Promise<Value>,
) => Promise<Value>;

const CLOSED = "T20";
const UNCHANGED = "T22";
/** Together with the host's own mark within the 32 units that it keeps free. */
const GONE_MARK = "(topic gone)\n";

/**
 * A closed topic is opened again where the bot may. One that is gone is bound to nobody any more, which is stored first; the
 * message then goes to the chat that the topic was in, or nowhere, as `threads.fallback` says.
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
      await threadGone(address);
    } catch (cause) {
      const what = `Sending to ${address}: its topic is gone, which could not be stored; it is tried again`;
      throw new ChannelError("definite", what, { cause });
    }
  }

  return async (address, place, send) => {
    const { topic } = place;
    const first = await tryCall(send(topic, ""));
    if ("value" in first) return first.value;
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
