/** One update of Telegram in the words of the contract. Pure; decides nothing that is the core's. */
import { type Address, formatAddress, type InboundMessage } from "@banyan/plugin-sdk";
import type { CallbackQuery, Message, Update } from "grammy/types";
import { type ButtonPress, readButtonPress } from "../buttons/button-press.ts";
import { readTopicNews, type TopicNews } from "../threads/topic-news.ts";
import type { BotIdentity } from "./bot-identity.ts";
import { formatMessageAddress, resolveChatKind } from "./chat-address.ts";
import { describeMembership, type MembershipNews } from "./membership.ts";
import { isAddressed, isForAnotherBot, measureCall, readMarkedText, stripBotName } from "./mention.ts";
import { describeContent, hasContent, readAttachments } from "./message-content.ts";
import { readSender } from "./message-sender.ts";
import { formatMessageText } from "./message-text.ts";
import { readForward, readQuote } from "./quote.ts";
import { readStoppedDraft, type StoppedDraft } from "./stopped-draft.ts";

/** Sent with every poll, because Telegram keeps the list of whoever polled last. */
export const UPDATE_KINDS = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "my_chat_member",
  "callback_query",
  "stopped_message_generation",
] as const;

/** A forwarded text is somebody else's, so it is no word of the sender; it stands in the quote. */
const FORWARDED = "(forwarded message)";

/** Why an update is nothing for anybody. */
export type IgnoredUpdate =
  | "unknown_kind"
  | "service_message"
  | "ephemeral"
  | "own_message"
  | "for_another_bot"
  | "shut_topic"
  | "linked_channel"
  | "live_location"
  | "refused_button"
  | "ended_draft"
  | "album_edit"
  | "membership_detail";

export type TranslatedUpdate =
  | { readonly kind: "message"; readonly message: InboundMessage }
  | { readonly kind: "move"; readonly from: Address; readonly to: Address }
  | { readonly kind: "press"; readonly press: ButtonPress }
  | { readonly kind: "stop"; readonly stopped: StoppedDraft }
  | { readonly kind: "topic"; readonly news: TopicNews }
  | { readonly kind: "membership"; readonly news: MembershipNews }
  | { readonly kind: "ignored"; readonly why: IgnoredUpdate };

export function translateUpdate(update: Update, me: BotIdentity): TranslatedUpdate {
  const edited = update.edited_message ?? update.edited_channel_post;
  const message = update.message ?? update.channel_post ?? edited;
  if (message !== undefined) {
    return translateMessage(message, message === edited ? update.update_id : undefined, me);
  }
  const { callback_query: query, stopped_message_generation: stopped } = update;
  if (query !== undefined) return translatePress(query, me);
  if (stopped !== undefined) return { kind: "stop", stopped: readStoppedDraft(stopped, update.update_id, me) };
  if (update.my_chat_member === undefined) return ignore("unknown_kind");
  const news = describeMembership(update.my_chat_member, me.account);
  return news === undefined ? ignore("membership_detail") : { kind: "membership", news };
}

function translatePress(query: CallbackQuery, me: BotIdentity): TranslatedUpdate {
  const press = readButtonPress(query, me);
  return press === undefined ? ignore("unknown_kind") : { kind: "press", press };
}

/** `editId` tells an edit from the message itself, and from other edits of it. */
function translateMessage(message: Message, editId: number | undefined, me: BotIdentity): TranslatedUpdate {
  const move = readMove(message, me);
  if (move !== undefined) return move;
  const news = readTopicNews(message, me);
  if (news !== undefined) return { kind: "topic", news };
  const why = decideIgnored(message, editId !== undefined, me);
  if (why !== undefined) return ignore(why);
  const attachments = readAttachments(message);
  const quote =
    message.forward_origin === undefined ? readQuote(message, me) : readForward(message, message.forward_origin);
  return {
    kind: "message",
    message: {
      id: String(message.message_id),
      address: formatMessageAddress(me.account, message),
      sender: readSender(message),
      text: readText(message, me),
      at: message.date * 1000,
      ...(message.chat.type !== "private" && { addressed: isAddressed(message, me) }),
      ...(editId !== undefined && { editedAt: readEditTime(message, editId) }),
      ...(quote !== undefined && { quote }),
      ...(attachments !== undefined && { attachments }),
    },
  };
}

/** A group that grows is told twice: in its old chat, where it goes, and in the new one, where it comes from. */
function readMove(message: Message, { account }: BotIdentity): TranslatedUpdate | undefined {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (resolveChatKind(chat) !== "group" || (to ?? from) === undefined) return undefined;
  return { kind: "move", from: formatGroup(account, from ?? chat.id), to: formatGroup(account, to ?? chat.id) };
}

function formatGroup(account: string, chatId: number): Address {
  return formatAddress({ channel: "telegram", account, kind: "group", chat: String(chatId) });
}

function decideIgnored(message: Message, isEdit: boolean, me: BotIdentity): IgnoredUpdate | undefined {
  if (!hasContent(message)) return "service_message";
  // Their ids are used again, and an answer would be for everybody to see.
  if (message.message_id === 0) return "ephemeral";
  if (message.from?.id === me.id || message.via_bot?.id === me.id) return "own_message";
  // Every post of a linked channel is repeated in its group.
  if (message.is_automatic_forward) return "linked_channel";
  // It "is edited" every few seconds while its owner walks.
  if (isEdit && message.location !== undefined) return "live_location";
  // It would take the place of the whole album where that still waits.
  if (isEdit && message.media_group_id !== undefined) return "album_edit";
  if (message.chat.type !== "private" && isForAnotherBot(message, me) && !isAddressed(message, me))
    return "for_another_bot";
  return undefined;
}

/** Telegram counts in seconds; two edits within one are told apart by the updates that brought them. */
function readEditTime({ edit_date: editedAt, date }: Message, editId: number): number {
  return (editedAt ?? date) * 1000 + (editId % 1000);
}

function readText(message: Message, me: BotIdentity): string {
  if (message.forward_origin !== undefined) return FORWARDED;
  const marked = readMarkedText(message);
  if (marked === undefined) return describeContent(message) ?? "";
  if (marked.entities.length === 0) return marked.text;
  return stripBotName(formatMessageText(marked, measureCall(marked, me)), me.username);
}

function ignore(why: IgnoredUpdate): TranslatedUpdate {
  return { kind: "ignored", why };
}
