import { ChannelError, type Clock, type DeliveryReceipt, type OutboundMessage } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import { parseChatPlace } from "../chat-place.ts";
import type { FaultReport } from "../fault-report.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import type { SendToTopic } from "../threads/gone-topic.ts";
import { createFloodMemory } from "./flood-memory.ts";

export interface MessageSenderOptions {
  readonly bot: Bot;
  readonly clock: Clock;
  readonly reportFault: FaultReport;
  readonly sendToTopic: SendToTopic;
}

export type MessageSender = (message: OutboundMessage) => Promise<DeliveryReceipt>;

/** One request per part; a second one, without markup, where Telegram cannot read the first. */
export function createMessageSender(options: MessageSenderOptions): MessageSender {
  const { bot, clock, reportFault, sendToTopic } = options;
  const floods = createFloodMemory(clock);

  async function send(
    chatId: number,
    markdown: string,
    more: Parameters<typeof bot.api.sendMessage>[2],
  ): Promise<number> {
    const { text, entities } = renderMarkdown(markdown);
    const plain = { link_preview_options: { is_disabled: true }, ...more };
    if (entities.length === 0) return (await bot.api.sendMessage(chatId, text, plain)).message_id;
    try {
      return (await bot.api.sendMessage(chatId, text, { ...plain, entities })).message_id;
    } catch (error) {
      // Refused for its markup, so nothing was sent and the plain text is still the first message.
      if (classifyTelegramError(error).class !== "bad_markup") throw error;
      return (await bot.api.sendMessage(chatId, text, plain)).message_id;
    }
  }

  return async ({ address, text, replyTo }) => {
    const place = parseChatPlace(address);
    const { chatId, starterId } = place;
    const reply = buildReply(replyTo ?? starterId);
    try {
      return buildReceipt(
        await sendToTopic(address, place, (topic, mark) => send(chatId, mark + text, { ...topic, ...reply })),
      );
    } catch (error) {
      const fault = classifyTelegramError(error);
      const isAccountWide = fault.retryAfterMs !== undefined && floods.note(chatId, fault.retryAfterMs);
      throw reportFault(`Sending to Telegram chat ${chatId}`, error, { ...fault, isAccountWide });
    }
  };
}

/** A quoted message may have been deleted meanwhile; the answer is sent all the same. */
function buildReply(replyTo: string | number | undefined): {
  reply_parameters?: { message_id: number; allow_sending_without_reply: boolean };
} {
  const messageId = Number(replyTo);
  if (!Number.isSafeInteger(messageId)) return {};
  return { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } };
}

function buildReceipt(messageId: number): DeliveryReceipt {
  if (Number.isSafeInteger(messageId)) return { platformId: String(messageId) };
  throw new ChannelError("ambiguous", "Sending to Telegram: it was accepted without a message id; check apiBaseUrl");
}
