/** Goodbyes, names and the end of threads. Each may be done again, also in another life. */
import { type Address, ChannelError, type RunOutcome, type ThreadsAbility } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";
import { type ChatPlace, parseChatPlace } from "../chat-place.ts";
import { CHAIN_ADVICE, formatStarter } from "./chain-opener.ts";
import { hasStrayed } from "./strayed-message.ts";
import { putEntry, type ThreadEntry } from "./thread-entry.ts";
import { isIconRefused, REPEAT_MARK, sayInThread, type ThreadParts, type Tried, tryCall } from "./thread-parts.ts";
import { chooseTopicIcon, resolveTopicState } from "./topic-icon.ts";
import { limitTopicName } from "./topic-opener.ts";

export type ThreadClosing = Parameters<ThreadsAbility["archive"]>[0];

/** Nothing to change: somebody did so before, perhaps this program (T22, T7). */
const UNCHANGED: ReadonlySet<string | undefined> = new Set(["T22", "T7"]);
/** A message that cannot be edited, now or any more (T8). */
const FIXED: ReadonlySet<string> = new Set(["permanent", "message_gone"]);
const CLOSED = "T20";

export async function archiveThread(closing: ThreadClosing, parts: ThreadParts): Promise<void> {
  const { address, name, goodbye, outcome } = closing;
  const place = parseChatPlace(address);
  const isOpen = goodbye === undefined || (await sayGoodbye(closing, place, parts));
  if (place.starterId !== undefined) {
    if (name !== undefined) await renameChain(place, name, parts);
    return;
  }
  const topicId = getTopic(place, address);
  // Somebody has closed it: as it stands it was left.
  if (!isOpen) return;
  if (name !== undefined) await renameTopic({ chatId: place.chatId, topicId }, { name, outcome }, parts);
  // Bot API, "closeForumTopic": only in supergroups.
  if (place.isPrivate) return;
  const attempt = `Closing a topic in Telegram chat ${place.chatId}`;
  demand(await tryCall(parts.bot.api.closeForumTopic(place.chatId, topicId)), attempt, parts);
}

export async function renameThread(
  { address, name, outcome }: { readonly address: Address; readonly name: string; readonly outcome?: RunOutcome },
  parts: ThreadParts,
): Promise<void> {
  const place = parseChatPlace(address);
  if (place.starterId !== undefined) return renameChain(place, `${name}\n${CHAIN_ADVICE}`, parts);
  return renameTopic({ chatId: place.chatId, topicId: getTopic(place, address) }, { name, outcome }, parts);
}

/**
 * A topic is asked for by a call that changes nothing; whether it is closed shows only when something is sent. In a private
 * chat what is shown or sent there is taken for the chat itself, and only an edit tells: here one of nothing.
 */
export async function probeThread(address: Address, { bot }: ThreadParts): Promise<"open" | "archived" | "gone"> {
  const { chatId, topic, isPrivate } = parseChatPlace(address);
  const { message_thread_id: topicId } = topic;
  // A chain of replies is there as long as its chat.
  if (topicId === undefined) return "open";
  const call = isPrivate ? bot.api.editForumTopic(chatId, topicId) : bot.api.sendChatAction(chatId, "typing", topic);
  const tried = await tryCall(call);
  if ("value" in tried) return "open";
  if (tried.fault.row === CLOSED) return "archived";
  return tried.fault.class === "thread_gone" || tried.fault.class === "chat_gone" ? "gone" : "open";
}

/** Answers whether one can write there. */
async function sayGoodbye(closing: ThreadClosing, place: ChatPlace, parts: ThreadParts): Promise<boolean> {
  const { bindingId, goodbye = "" } = closing;
  const { chatId, topic, starterId } = place;
  const known = parts.book.find(bindingId);
  if (known?.goodbye === "said") return true;
  const entry: ThreadEntry = known ?? {
    bindingId,
    chatId,
    at: parts.clock.now(),
    // The topic that a chain is in is not its own.
    ...(starterId === undefined ? { topicId: topic.message_thread_id } : { starterId }),
  };
  const note = (state: ThreadEntry["goodbye"]): Promise<void> =>
    parts.book.store((entries) => putEntry(entries, { ...entry, goodbye: state }));
  await note("begun");
  const text = known?.goodbye === "begun" ? REPEAT_MARK + goodbye : goodbye;
  const tried = await tryCall(sayInThread(parts, chatId, text, { ...topic, replyTo: starterId }));
  if ("value" in tried && hasStrayed(place, tried.value)) return takeBackGoodbye(closing, tried.value, parts);
  if ("value" in tried) {
    await note("said");
    return true;
  }
  // Where it is known that it was not said, the next try is the first one.
  if (tried.fault.class !== "ambiguous") await note(known?.goodbye);
  if (tried.fault.row === CLOSED) return false;
  throw parts.reportFault(`Saying goodbye in Telegram chat ${chatId}`, tried.error, tried.fault);
}

/** Beside its topic it would tell people of nothing that they see. */
async function takeBackGoodbye(
  { address }: ThreadClosing,
  { chat, message_id: messageId }: Message,
  { bot, log }: ThreadParts,
): Promise<never> {
  const deleted = await tryCall(bot.api.deleteMessage(chat.id, messageId));
  if ("error" in deleted) log.warn({ err: deleted.error, address }, "a goodbye is outside its Telegram topic");
  throw new ChannelError("thread_gone", `Saying goodbye to ${address}: its topic is gone`);
}

/** Name and icon say how its run has ended. An icon that says something else goes where Telegram has none that fits. */
async function renameTopic(
  { chatId, topicId }: { readonly chatId: number; readonly topicId: number },
  { name, outcome }: { readonly name: string; readonly outcome: RunOutcome | undefined },
  parts: ThreadParts,
): Promise<void> {
  const attempt = `Renaming a topic in Telegram chat ${chatId}`;
  const edit = (icon: { readonly icon_custom_emoji_id?: string }) =>
    tryCall(parts.bot.api.editForumTopic(chatId, topicId, { name: limitTopicName(name), ...icon }));
  const icons = outcome === undefined ? undefined : await parts.icons.read();
  if (outcome !== undefined && icons !== undefined) {
    const tried = await edit({ icon_custom_emoji_id: chooseTopicIcon(resolveTopicState(outcome), icons) ?? "" });
    if (!isIconRefused(tried)) return demand(tried, attempt, parts);
    parts.icons.forget();
  }
  demand(await edit({}), attempt, parts);
}

/** The starter is what a chain is called by; where it cannot be edited any more the name stays (T8). */
async function renameChain({ chatId, starterId = 0 }: ChatPlace, text: string, parts: ThreadParts): Promise<void> {
  const { isRepeat = false } =
    parts.book.entries.find((entry) => entry.chatId === chatId && entry.starterId === starterId) ?? {};
  const tried = await tryCall(
    parts.bot.api.editMessageText(chatId, starterId, formatStarter(text, isRepeat), {
      link_preview_options: { is_disabled: true },
    }),
  );
  if ("value" in tried || UNCHANGED.has(tried.fault.row) || FIXED.has(tried.fault.class)) return;
  throw parts.reportFault(`Renaming a chain of replies in Telegram chat ${chatId}`, tried.error, tried.fault);
}

function demand<Value>(tried: Tried<Value>, attempt: string, { reportFault }: ThreadParts): void {
  if ("value" in tried || UNCHANGED.has(tried.fault.row)) return;
  throw reportFault(attempt, tried.error, tried.fault);
}

function getTopic({ topic }: ChatPlace, address: Address): number {
  if (topic.message_thread_id !== undefined) return topic.message_thread_id;
  throw new ChannelError("thread_gone", `Closing ${address}: this is no thread of a Telegram chat`);
}
