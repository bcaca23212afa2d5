/** Where there are no topics a sub-agent lives in the replies to one message: its hello. */
import { type Address, parseAddress } from "@banyan/plugin-sdk";
import { formatChainAddress, parseChatPlace } from "../chat-place.ts";
import { putEntry } from "./thread-entry.ts";
import { sayInThread, type ThreadParts, tryCall } from "./thread-parts.ts";
import type { ThreadOpening } from "./topic-opener.ts";

/** How people reach it: what they write beside the chain is for others. */
export const CHAIN_ADVICE = "Reply to this message or to its answers.";

/**
 * One call. A starter whose answer is lost cannot be found again, since a bot does not get its own messages: the spawn is
 * refused, and what answers such a message has its normal way.
 */
export async function openChain(
  { bindingId, parent, hello }: ThreadOpening,
  parts: ThreadParts,
): Promise<{ readonly address: Address }> {
  const { chatId, topic, starterId: replyTo } = parseChatPlace(parent);
  const tried = await tryCall(sayInThread(parts, chatId, `${hello}\n${CHAIN_ADVICE}`, { ...topic, replyTo }));
  if ("error" in tried)
    throw parts.reportFault(`Beginning a chain of replies in Telegram chat ${chatId}`, tried.error, tried.fault);
  const starterId = tried.value;
  const entry = { bindingId, chatId, at: parts.clock.now(), starterId };
  await parts.book.store((entries) => putEntry(entries, entry));
  return { address: formatChainAddress(parseAddress(parent), starterId) };
}
