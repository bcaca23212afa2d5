import { ChannelError, type EditsAbility } from "@banyan/plugin-sdk";
import type { InlineKeyboardMarkup } from "grammy/types";
import type { Bot } from "grammy/web";
import type { Keyboards } from "../buttons/keyboards.ts";
import { isBasicGroup, parseChatPlace } from "../chat-place.ts";
import type { FaultReport } from "../fault-report.ts";
import { type RenderedMarkdown, renderMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import type { FloodMemory } from "./flood-memory.ts";
import { writeMarked } from "./marked-text.ts";

export interface MessageEditOptions {
  readonly bot: Bot;
  readonly floods: FloodMemory;
  readonly reportFault: FaultReport;
}

/** What an own message is to become. */
export interface MessageEdit {
  readonly chatId: number;
  readonly messageId: number;
  readonly rendered: RenderedMarkdown;
  /** The buttons below it; without one those that stand there go. */
  readonly keyboard?: InlineKeyboardMarkup | undefined;
}

/** Telegram's answer where the message is as it is to be: the edit was made, now or by a call whose answer was lost. */
const NOT_MODIFIED = "T7";

/** Edits an own message. Rejects with a `ChannelError`: `message_gone` where it can be edited no more. */
export async function editMessage(options: MessageEditOptions, edit: MessageEdit): Promise<void> {
  const { bot, floods, reportFault } = options;
  const { chatId, messageId, rendered, keyboard } = edit;
  const look = { link_preview_options: { is_disabled: true }, ...(keyboard && { reply_markup: keyboard }) };
  try {
    await writeMarked(
      rendered,
      ({ text, ...markup }) => bot.api.editMessageText(chatId, messageId, text, { ...look, ...markup }),
      { overflow: "refuse" },
    );
  } catch (error) {
    const fault = classifyTelegramError(error);
    if (fault.row === NOT_MODIFIED) return;
    const isAccountWide = fault.retryAfterMs !== undefined && floods.note(chatId, fault.retryAfterMs);
    throw reportFault(`Editing a message in Telegram chat ${chatId}`, error, { ...fault, isAccountWide });
  }
}

/**
 * The same for what people are to read. Telegram takes edits in a group that has become a supergroup, where nobody looks any
 * more, and refuses everything else there: rejects as `migrated` then, also where the group moved during the edit.
 */
export async function editWhereRead(options: MessageEditOptions, edit: MessageEdit): Promise<void> {
  await editBeforeNext(options, edit);
  await checkMoved(options, edit);
}

/** The same for what another edit follows: that finds out whether the group moved during this one. */
export async function editBeforeNext(options: MessageEditOptions, edit: MessageEdit): Promise<void> {
  await checkMoved(options, edit);
  await editMessage(options, edit);
}

/** By a call that Telegram refuses as it does a message, and that leaves no trace. */
async function checkMoved({ bot, reportFault }: MessageEditOptions, { chatId }: MessageEdit): Promise<void> {
  if (!isBasicGroup(chatId)) return;
  try {
    await bot.api.sendChatAction(chatId, "typing");
  } catch (error) {
    const fault = classifyTelegramError(error);
    // Anything else says nothing of a move, and the edit gets its own answer.
    if (fault.class === "migrated") throw reportFault(`Editing a message in Telegram chat ${chatId}`, error, fault);
  }
}

/** Changes the text of own messages, for the host. */
export function createEdits(
  options: MessageEditOptions & { readonly buildKeyboard: Keyboards["buildKeyboard"] },
): EditsAbility {
  return {
    async edit({ address, platformId, text, run }) {
      const { chatId } = parseChatPlace(address);
      const messageId = parseMessageId(platformId);
      const keyboard = run && options.buildKeyboard({ run });
      await editWhereRead(options, { chatId, messageId, rendered: renderMarkdown(text), keyboard });
    },
  };
}

function parseMessageId(platformId: string): number {
  const messageId = Number(platformId);
  if (Number.isSafeInteger(messageId) && messageId > 0) return messageId;
  const what = `${JSON.stringify(platformId.slice(0, 40))} is no id of a message; take it from a receipt`;
  throw new ChannelError("permanent", `Editing a message on Telegram: ${what}`);
}
