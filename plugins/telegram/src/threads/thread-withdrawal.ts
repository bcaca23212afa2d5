/** Taking back what was opened for a spawn that came to nothing. */
import { dropEntry } from "./thread-entry.ts";
import { type ThreadParts, tryCall } from "./thread-parts.ts";

/** Nobody can write there any more, or it is closed already. */
const GONE: ReadonlySet<string> = new Set(["thread_gone", "chat_gone", "message_gone"]);
const UNCHANGED = "T22";

/** Takes back what is known of an opening; what is not known yet stays marked and is taken back by its news. */
export async function withdrawThread(bindingId: string, parts: ThreadParts): Promise<void> {
  const { book } = parts;
  if (book.find(bindingId) === undefined) return;
  await book.store((entries) =>
    entries.map((entry) => (entry.bindingId === bindingId ? { ...entry, isWithdrawn: true } : entry)),
  );
  await parts.inLine(() => takeBack(bindingId, parts));
}

/** In line only: while a topic of the same name is being opened, nobody knows whose the news is. */
export async function takeBack(bindingId: string, parts: ThreadParts): Promise<void> {
  const entry = parts.book.find(bindingId);
  if (entry?.isWithdrawn !== true || (entry.topicId ?? entry.starterId) === undefined) return;
  if (entry.topicId !== undefined) await closeForGood(entry.chatId, entry.topicId, parts);
  else if (entry.starterId !== undefined) await erase(entry.chatId, entry.starterId, parts);
  await parts.book.store((entries) => dropEntry(entries, bindingId));
}

/** Deleting takes another right than opening, so a topic that cannot be deleted is closed. */
async function closeForGood(chatId: number, topicId: number, { bot, reportFault }: ThreadParts): Promise<void> {
  const deleted = await tryCall(bot.api.deleteForumTopic(chatId, topicId));
  if ("value" in deleted || GONE.has(deleted.fault.class)) return;
  const closed = await tryCall(bot.api.closeForumTopic(chatId, topicId));
  if ("value" in closed || GONE.has(closed.fault.class) || closed.fault.row === UNCHANGED) return;
  throw reportFault(`Removing a topic in Telegram chat ${chatId}`, closed.error, closed.fault);
}

/** Older than two days it cannot be deleted any more, and stays (T10). */
async function erase(chatId: number, messageId: number, { bot, reportFault }: ThreadParts): Promise<void> {
  const erased = await tryCall(bot.api.deleteMessage(chatId, messageId));
  if ("value" in erased || erased.fault.class === "permanent" || GONE.has(erased.fault.class)) return;
  throw reportFault(`Removing a message in Telegram chat ${chatId}`, erased.error, erased.fault);
}

/** Goes on with what an earlier life has begun to take back. Never rejects: the next start tries again. */
export async function resumeWithdrawals(parts: ThreadParts): Promise<void> {
  for (const { bindingId, isWithdrawn } of parts.book.entries) {
    if (isWithdrawn !== true) continue;
    const tried = await tryCall(parts.inLine(() => takeBack(bindingId, parts)));
    if ("error" in tried && !parts.signal.aborted)
      parts.log.warn({ err: tried.error, bindingId }, "a thread of a failed spawn still exists");
  }
}
