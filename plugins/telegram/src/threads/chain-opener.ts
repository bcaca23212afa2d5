/** Where there are no topics a sub-agent lives in the replies to one message: its hello. */
import { type Address, ChannelError, parseAddress } from "@banyan/plugin-sdk";
import { formatChainAddress, parseChatPlace } from "../chat-place.ts";
import { dropEntry, hasUnclearChain, putEntry, type ThreadEntry } from "./thread-entry.ts";
import { REPEAT_MARK, sayInThread, type ThreadParts, tryCall } from "./thread-parts.ts";
import { takeBack } from "./thread-withdrawal.ts";
import { limitTopicName, type ThreadOpening } from "./topic-opener.ts";

/** How people reach it: what they write beside the chain is for others. */
export const CHAIN_ADVICE = "Reply to this message or to its answers.";

/**
 * Written down before it is said, since a bot does not get its own messages: a starter whose answer is lost cannot be found
 * again. Its spawn is refused, what answers such a message has its normal way, and the next one of that name says that it
 * may be there already.
 */
export async function openChain(
  { bindingId, parent, name: fullName, hello }: ThreadOpening,
  parts: ThreadParts,
): Promise<{ readonly address: Address }> {
  const { book, clock, reportFault } = parts;
  const { chatId, topic, starterId: replyTo } = parseChatPlace(parent);
  // It stands in the stored cursor.
  const name = limitTopicName(fullName);
  const isRepeat = hasUnclearChain(book.entries, { chatId, name });
  const begun: ThreadEntry = { bindingId, chatId, at: clock.now(), name, isChain: true };
  await book.store((entries) => putEntry(entries, begun));
  const text = formatStarter(`${hello}\n${CHAIN_ADVICE}`, isRepeat);
  const tried = await tryCall(sayInThread(parts, chatId, text, { ...topic, replyTo }));
  if ("error" in tried) {
    const { error, fault } = tried;
    if (fault.class !== "ambiguous") await book.store((entries) => dropEntry(entries, bindingId));
    throw reportFault(`Beginning a chain of replies in Telegram chat ${chatId}`, error, fault);
  }
  const { message_id: starterId } = tried.value;
  const { isWithdrawn } = book.find(bindingId) ?? {};
  const begins: ThreadEntry = {
    bindingId,
    chatId,
    at: begun.at,
    starterId,
    isWithdrawn,
    ...(isRepeat && { isRepeat }),
  };
  await book.store((entries) => putEntry(entries, begins));
  if (isWithdrawn === true) {
    await takeBack(bindingId, parts);
    throw new ChannelError("permanent", "Beginning a chain of Telegram replies: its spawn was undone");
  }
  return { address: formatChainAddress(parseAddress(parent), starterId) };
}

/** What a chain begins with, whatever it is called by now. */
export function formatStarter(text: string, isRepeat: boolean): string {
  return isRepeat ? REPEAT_MARK + text : text;
}
