import { ChannelError, parseAddress, type ThreadsAbility } from "@banyan/plugin-sdk";
import { formatChainAddress, formatTopicAddress, parseChatPlace } from "../chat-place.ts";
import { openChain } from "./chain-opener.ts";
import { archiveThread, probeThread, renameThread } from "./thread-closer.ts";
import type { ThreadParts } from "./thread-parts.ts";
import { withdrawThread } from "./thread-withdrawal.ts";
import { openTopic, type ThreadOpening } from "./topic-opener.ts";

/** Threads for sub-agents: a topic where the bot may open one, else by the fallback a chain of replies or a refusal. */
export function createThreads(parts: ThreadParts): ThreadsAbility {
  return {
    open: (opening) => openThread(opening, parts),
    withdraw: ({ bindingId }) => withdrawThread(bindingId, parts),
    archive: (closing) => archiveThread(closing, parts),
    rename: (naming) => renameThread(naming, parts),
    probe: (address) => probeThread(address, parts),
  };
}

async function openThread(opening: ThreadOpening, parts: ThreadParts): ReturnType<ThreadsAbility["open"]> {
  const { parent, bindingId } = opening;
  const { isPrivate } = parseChatPlace(parent);
  const { topicId, starterId } = parts.book.find(bindingId) ?? {};
  if (starterId !== undefined) return { address: formatChainAddress(parseAddress(parent), starterId) };
  if (topicId !== undefined) return { address: formatTopicAddress(parent, topicId) };
  if (parseAddress(parent).kind === "channel")
    throw new ChannelError("permanent", "Opening a thread in a Telegram channel: channels have none; ask in a group");
  // What a bot may not do in any private chat it need not ask for.
  if (isPrivate && !parts.bot.botInfo.has_topics_enabled) return fallBack(opening, parts, PRIVATE_CURE);
  const opened = await openTopic(opening, parts);
  if ("address" in opened) return opened;
  const { what } = opened.refused;
  return fallBack(opening, parts, `${what}; ${isPrivate ? PRIVATE_CURE : GROUP_CURE}`);
}

const PRIVATE_CURE = "switch topics in private chats on for the bot in @BotFather";
const GROUP_CURE =
  'switch topics on in the group and make the bot an administrator that may "Manage Topics" (can_manage_topics)';

function fallBack(opening: ThreadOpening, parts: ThreadParts, cure: string): ReturnType<ThreadsAbility["open"]> {
  if (parts.fallback === "reply") return openChain(opening, parts);
  const { chatId } = parseChatPlace(opening.parent);
  throw new ChannelError(
    "permanent",
    `Opening a thread in Telegram chat ${chatId}: the bot can open no topic there, and threads.fallback is "refuse"; ${cure}, or set threads.fallback: "reply"`,
  );
}
