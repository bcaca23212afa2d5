/** What changed between the bot and a chat, as a sentence for the operator. */
import type { ChatMember, ChatMemberUpdated } from "grammy/types";
import { describeChat } from "./chat-address.ts";

export interface MembershipNews {
  readonly level: "info" | "warn";
  readonly sentence: string;
}

/** `undefined` where nothing changed that matters to talking. */
export function describeMembership(update: ChatMemberUpdated, account: string): MembershipNews | undefined {
  const { chat, old_chat_member: before, new_chat_member: now } = update;
  if (chat.type === "private") return describeBlock(chat.id, now);
  const where = describeChat(chat);
  if (!isIn(now)) {
    if (!isIn(before)) return undefined;
    return { level: "warn", sentence: `Telegram: the bot was removed from ${where}; it gets and sends nothing there` };
  }
  const mute = canWrite(now) ? "" : "; it may not write there: give it the right to send messages";
  if (!isIn(before)) {
    const cure = `to let it talk there: channels.telegram.accounts.${account}.groups.allow: ["${chat.id}"]`;
    return { level: "info", sentence: `Telegram: the bot was added to ${where}; ${cure}${mute}` };
  }
  if (canWrite(before) !== canWrite(now)) {
    if (mute !== "") return { level: "warn", sentence: `Telegram: the bot was restricted in ${where}${mute}` };
    return { level: "info", sentence: `Telegram: the bot may write in ${where} again` };
  }
  if (isAdmin(before) === isAdmin(now)) return undefined;
  const change = isAdmin(now) ? "is an administrator now and gets every message" : "is no administrator any more";
  return { level: "info", sentence: `Telegram: in ${where} the bot ${change}` };
}

function describeBlock(chatId: number, now: ChatMember): MembershipNews {
  const sentence = isIn(now)
    ? `Telegram: the user ${chatId} unblocked the bot`
    : `Telegram: the user ${chatId} blocked the bot; nothing can be sent there until the user writes again`;
  return { level: "info", sentence };
}

function isIn(member: ChatMember): boolean {
  if (member.status === "restricted") return member.is_member;
  return member.status !== "left" && member.status !== "kicked";
}

function canWrite(member: ChatMember): boolean {
  return member.status !== "restricted" || member.can_send_messages;
}

function isAdmin({ status }: ChatMember): boolean {
  return status === "administrator" || status === "creator";
}
