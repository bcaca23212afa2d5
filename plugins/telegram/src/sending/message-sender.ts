import { ChannelError, type DeliveryReceipt, type OutboundMessage } from "@banyan/plugin-sdk";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Bot } from "grammy/web";
import type { Keyboards } from "../buttons/keyboards.ts";
import { parseChatPlace } from "../chat-place.ts";
import type { FaultReport } from "../fault-report.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import type { SendToTopic, TopicSending } from "../threads/gone-topic.ts";
import { sendFile } from "./file-sender.ts";
import type { FloodMemory } from "./flood-memory.ts";
import { type MarkedText, writeMarked } from "./marked-text.ts";
import { editMessage } from "./message-edit.ts";

export interface MessageSenderOptions {
  readonly bot: Bot;
  readonly floods: FloodMemory;
  readonly reportFault: FaultReport;
  /** The buttons below what tells of a sub-agent, or asks. */
  readonly buildKeyboard: Keyboards["buildKeyboard"];
  /** Turns a growing answer into the part, where one stands in the chat for it. */
  readonly settleDraft: (part: SentPart, keyboard: InlineKeyboardMarkup | undefined) => Promise<SettledDraft>;
  readonly sendToTopic: SendToTopic;
}

/** What of a delivery is sent; an announcement has the same. */
export type SentPart = Pick<
  OutboundMessage,
  "deliveryId" | "part" | "address" | "text" | "replyTo" | "turnId" | "run" | "question" | "repeatMark" | "file"
>;

/** `undefined`: the part is to be sent. `unsent`: it is, and no attempt in any life has sent anything of it before. */
export type SettledDraft = { readonly platformId: string } | "unsent" | undefined;

export type MessageSender = (message: SentPart) => Promise<DeliveryReceipt>;

/** One request per part; if Telegram refuses its markup, further ones without. */
export function createMessageSender(options: MessageSenderOptions): MessageSender {
  const { bot, floods, reportFault, buildKeyboard, settleDraft, sendToTopic } = options;
  return async (message) => {
    const { address, repeatMark = "", replyTo, file } = message;
    const place = parseChatPlace(address);
    const { chatId, starterId } = place;
    const keyboard = buildKeyboard(message);
    // A file cannot take the place of a text.
    const settled = file === undefined ? await settleDraft(message, keyboard) : undefined;
    if (typeof settled === "object") return settled;
    const text = settled === "unsent" ? message.text.slice(repeatMark.length) : message.text;
    const look = { link_preview_options: { is_disabled: true } };
    try {
      const send: TopicSending["send"] = (topic, mark) => {
        const rendered = renderMarkdown(mark + text);
        // Beside its topic it answers nothing: an answer is in the topic of what it answers.
        const where = mark === "" ? { ...topic, ...buildReply(replyTo ?? starterId) } : {};
        const say = ({ text: words, ...markup }: MarkedText, placed: object) =>
          bot.api.sendMessage(chatId, words, { ...look, ...markup, ...placed });
        if (file !== undefined) {
          const goOn = (marked: MarkedText) => say(marked, topic);
          return sendFile(bot, chatId, { file, caption: rendered, place: where, goOn });
        }
        return writeMarked(
          rendered,
          (marked, { isFirst, isLast }) =>
            say(marked, { ...(isFirst ? where : topic), ...(isLast && keyboard && { reply_markup: keyboard }) }),
          { overflow: "continue" },
        );
      };
      const remark: TopicSending["remark"] = async ({ message_id: messageId }, mark) => {
        const { text: words, entities } = renderMarkdown(mark + text);
        if (file !== undefined)
          await bot.api.editMessageCaption(chatId, messageId, { caption: words, caption_entities: entities });
        else await editMessage(options, { chatId, messageId, rendered: renderMarkdown(mark + text), keyboard });
      };
      const sent = await sendToTopic(address, place, { send, remark });
      return buildReceipt(sent.message_id);
    } catch (error) {
      const fault = classifyTelegramError(error);
      const isAccountWide = fault.retryAfterMs !== undefined && floods.note(chatId, fault.retryAfterMs);
      throw reportFault(`Sending to Telegram chat ${chatId}`, error, { ...fault, isAccountWide });
    }
  };
}

/** A quoted message may have been deleted meanwhile; the answer is sent all the same. */
export function buildReply(replyTo: string | number | undefined): {
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
