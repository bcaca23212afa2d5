import { ChannelError, type Clock, type DeliveryReceipt, type OutboundMessage } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import { parseChatPlace } from "../chat-place.ts";
import type { FaultReport } from "../fault-report.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import { sendFile } from "./file-sender.ts";
import { createFloodMemory } from "./flood-memory.ts";

export interface MessageSenderOptions {
  readonly bot: Bot;
  readonly clock: Clock;
  readonly reportFault: FaultReport;
}

export type MessageSender = (message: OutboundMessage) => Promise<DeliveryReceipt>;

/** One request per part; a second one, without markup, where Telegram cannot read the first. */
export function createMessageSender({ bot, clock, reportFault }: MessageSenderOptions): MessageSender {
  const floods = createFloodMemory(clock);
  return async (message) => {
    const { chatId, topic } = parseChatPlace(message.address);
    const { text, entities } = renderMarkdown(message.text);
    const place = { ...topic, ...buildReply(message.replyTo) };
    const plain = { link_preview_options: { is_disabled: true }, ...place };
    try {
      if (message.file !== undefined)
        return buildReceipt(await sendFile(bot, chatId, message.file, message.text, place));
      if (entities.length === 0) return buildReceipt(await bot.api.sendMessage(chatId, text, plain));
      try {
        return buildReceipt(await bot.api.sendMessage(chatId, text, { ...plain, entities }));
      } catch (error) {
        // Refused for its markup, so nothing was sent and the plain text is still the first message.
        if (classifyTelegramError(error).class !== "bad_markup") throw error;
        return buildReceipt(await bot.api.sendMessage(chatId, text, plain));
      }
    } catch (error) {
      const fault = classifyTelegramError(error);
      const isAccountWide = fault.retryAfterMs !== undefined && floods.note(chatId, fault.retryAfterMs);
      throw reportFault(`Sending to Telegram chat ${chatId}`, error, { ...fault, isAccountWide });
    }
  };
}

/** A quoted message may have been deleted meanwhile; the answer is sent all the same. */
function buildReply(replyTo: string | undefined): {
  reply_parameters?: { message_id: number; allow_sending_without_reply: boolean };
} {
  const messageId = Number(replyTo);
  if (!Number.isSafeInteger(messageId)) return {};
  return { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } };
}

function buildReceipt(sent: { readonly message_id: number }): DeliveryReceipt {
  if (Number.isSafeInteger(sent.message_id)) return { platformId: String(sent.message_id) };
  throw new ChannelError("ambiguous", "Sending to Telegram: it was accepted without a message id; check apiBaseUrl");
}
