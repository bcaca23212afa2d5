/** A press of a button, "CallbackQuery" of core.telegram.org/bots/api, in the words of the contract. Pure. */
import { type Address, formatAddress, type Sender } from "@banyan/plugin-sdk";
import type { CallbackQuery } from "grammy/types";
import type { BotIdentity } from "../updates/bot-identity.ts";
import { formatMessageAddress, resolveChatKind } from "../updates/chat-address.ts";
import { formatUserName } from "../updates/message-sender.ts";

export interface ButtonPress {
  readonly queryId: string;
  readonly data: string;
  readonly sender: Sender;
  readonly isPrivate: boolean;
  /** Where the message stands. Absent where the bot is not told: it is old, and in some topic of the chat. */
  readonly address?: Address;
}

/** `undefined` for what is no press of a button below a message, such as one of a game. */
export function readButtonPress(query: CallbackQuery, me: BotIdentity): ButtonPress | undefined {
  const { id: queryId, from, message, data } = query;
  if (message === undefined || data === undefined) return undefined;
  const address = formatPressAddress(message, me);
  const person = { id: String(from.id), displayName: formatUserName(from) };
  return {
    queryId,
    data,
    sender: from.is_bot ? { ...person, isBot: true } : person,
    isPrivate: message.chat.type === "private",
    ...(address !== undefined && { address }),
  };
}

/** An old message is told without all that it holds, its topic among it; then its date is 0 ("InaccessibleMessage"). */
function formatPressAddress(
  message: NonNullable<CallbackQuery["message"]>,
  { account, hasPrivateTopics }: BotIdentity,
): Address | undefined {
  if (message.date !== 0) return formatMessageAddress(account, message);
  const { chat } = message;
  if (chat.type === "private" ? hasPrivateTopics : chat.is_forum) return undefined;
  return formatAddress({ channel: "telegram", account, kind: resolveChatKind(chat), chat: String(chat.id) });
}
