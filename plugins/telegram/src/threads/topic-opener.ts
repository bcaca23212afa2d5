/** A topic of its own for a sub-agent: written down, opened, written down again, greeted. */
import { type Address, ChannelError, type ThreadsAbility } from "@banyan/plugin-sdk";
import type { ForumTopic } from "grammy/types";
import { formatTopicAddress, parseChatPlace } from "../chat-place.ts";
import type { TelegramFault } from "../telegram-fault.ts";
import { putEntry, type ThreadEntry } from "./thread-entry.ts";
import { isIconRefused, sayInThread, type ThreadParts, type Tried, tryCall } from "./thread-parts.ts";
import { takeBack } from "./thread-withdrawal.ts";
import { chooseTopicIcon } from "./topic-icon.ts";

export type ThreadOpening = Parameters<ThreadsAbility["open"]>[0];

/** `refused`: the chat can have no topic of the bot's; nothing was opened. */
export type OpenedTopic = { readonly address: Address } | { readonly refused: TelegramFault };

/** Bot API, "createForumTopic": characters. */
const NAME_LIMIT_CHARS = 128;
/** One of the six colours that "createForumTopic" takes: green. */
const ICON_COLOR = 0x8eee98;
const NO_RIGHT = "T17";
/**
 * How long the news of a topic may be on its way whose answer is lost. The host opens a second and a third time, which wait
 * for the news of the time before as well, and gives 30 s for all.
 */
const NEWS_WAIT_MS = 4_000;
/** What a topic can do without: the hello is a courtesy, its name says as much. */
const PASSING: ReadonlySet<string> = new Set(["ambiguous", "definite", "rate_limited"]);

export function limitTopicName(name: string): string {
  return name.length <= NAME_LIMIT_CHARS ? name : `${name.slice(0, NAME_LIMIT_CHARS - 1).toWellFormed()}…`;
}

export async function openTopic(opening: ThreadOpening, parts: ThreadParts): Promise<OpenedTopic> {
  const { parent, bindingId, hello } = opening;
  const { chatId } = parseChatPlace(parent);
  const made = await parts.inLine(() => findOrMake(opening, parts));
  if (typeof made !== "number") return { refused: made };
  const address = formatTopicAddress(parent, made);
  const greeted = await tryCall(sayInThread(parts, chatId, hello, { message_thread_id: made }));
  if ("error" in greeted) {
    const failure = parts.reportFault(
      `Saying hello in a topic of Telegram chat ${chatId}`,
      greeted.error,
      greeted.fault,
    );
    if (!PASSING.has(greeted.fault.class)) throw failure;
    parts.log.debug({ err: failure, bindingId }, "a topic begins without a hello");
  }
  return { address };
}

async function findOrMake(opening: ThreadOpening, parts: ThreadParts): Promise<number | TelegramFault> {
  const { book } = parts;
  const { bindingId } = opening;
  // An earlier life may have opened it; what Telegram has to tell of that comes with the first polls.
  const known = book.find(bindingId) && (await awaitNews(bindingId, parts));
  if (known?.topicId !== undefined) return known.topicId;
  const made = await make(opening, parts);
  if (book.find(bindingId)?.isWithdrawn !== true) return made;
  await takeBack(bindingId, parts);
  throw new ChannelError("permanent", "Opening a Telegram topic: its spawn was undone");
}

/** Resolves with the topic's id, or with why there can be none. */
async function make(opening: ThreadOpening, parts: ThreadParts): Promise<number | TelegramFault> {
  const { book, clock, reportFault } = parts;
  const { bindingId } = opening;
  const { chatId } = parseChatPlace(opening.parent);
  const name = limitTopicName(opening.name);
  const begun: ThreadEntry = { bindingId, chatId, at: clock.now(), name };
  await book.store((entries) => putEntry(entries, begun));
  const tried = await createTopic(chatId, name, parts);
  if ("value" in tried) {
    const topicId = tried.value.message_thread_id;
    await book.store((entries) =>
      putEntry(entries, { ...begun, ...keepMark(book.find(bindingId)), name: undefined, topicId }),
    );
    return topicId;
  }
  const { error, fault } = tried;
  if (fault.class === "ambiguous") {
    const known = await awaitNews(bindingId, parts);
    if (known?.topicId !== undefined) return known.topicId;
  } else {
    await book.store((entries) => entries.filter((entry) => entry.bindingId !== bindingId));
    // Also where it is said as of any right: whether the bot may write there, the chat's own answer tells.
    if (fault.class === "permanent" || fault.row === NO_RIGHT) return fault;
  }
  throw reportFault(`Opening a topic in Telegram chat ${chatId}`, error, fault);
}

/** With the icon of one at work, where Telegram has one and takes it; else with a colour. */
async function createTopic(chatId: number, name: string, parts: ThreadParts): Promise<Tried<ForumTopic>> {
  const { api } = parts.bot;
  const icon = chooseTopicIcon("working", (await parts.icons.read()) ?? []);
  if (icon !== undefined) {
    const tried = await tryCall(
      api.createForumTopic(chatId, name, { icon_color: ICON_COLOR, icon_custom_emoji_id: icon }),
    );
    if (!isIconRefused(tried)) return tried;
    parts.icons.forget();
  }
  return tryCall(api.createForumTopic(chatId, name, { icon_color: ICON_COLOR }));
}

function keepMark(entry: ThreadEntry | undefined): Pick<ThreadEntry, "isWithdrawn"> {
  return entry?.isWithdrawn === true ? { isWithdrawn: true } : {};
}

async function awaitNews(bindingId: string, parts: ThreadParts): Promise<ThreadEntry | undefined> {
  const waiting = new AbortController();
  const cancel = parts.clock.schedule(NEWS_WAIT_MS, () => waiting.abort());
  const signal = AbortSignal.any([waiting.signal, parts.signal]);
  const entry = await parts.book.until(bindingId, ({ topicId }) => topicId !== undefined, signal);
  cancel();
  return entry;
}
