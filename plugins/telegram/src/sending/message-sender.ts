import { ChannelError, type DeliveryReceipt, type OutboundMessage } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import { parseChatPlace } from "../chat-place.ts";
import type { FaultReport } from "../fault-report.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import type { SendToTopic } from "../threads/gone-topic.ts";
import type { FloodMemory } from "./flood-memory.ts";
import { writeMarked } from "./marked-text.ts";

export interface MessageSenderOptions {
  readonly bot: Bot;
  readonly floods: FloodMemory;
  readonly reportFault: FaultReport;
  readonly sendToTopic: SendToTopic;
}

export type MessageSender = (message: OutboundMessage) => Promise<DeliveryReceipt>;

/** One request per part; a second one, without markup, where Telegram cannot read the first. */
export function createMessageSender({ bot, floods, reportFault, sendToTopic }: MessageSenderOptions): MessageSender {
  return async ({ address, text, replyTo }) => {
    const place = parseChatPlace(address);
    const { chatId, starterId } = place;
    try {
      const sent = await sendToTopic(address, place, (topic, mark) => {
        const rendered = renderMarkdown(mark + text);
        // Beside its topic it answers nothing: an answer is in the topic of what it answers.
        const reply = mark === "" ? buildReply(replyTo ?? starterId) : {};
        const plain = { link_preview_options: { is_disabled: true }, ...topic, ...reply };
        return writeMarked(rendered, (markup) => bot.api.sendMessage(chatId, rendered.text, { ...plain, ...markup }));
      });
      return buildReceipt(sent.message_id);
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
