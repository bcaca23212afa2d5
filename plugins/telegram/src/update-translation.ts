import type { InboundMessage } from "@banyan/plugin-sdk";
import type { Update, User } from "grammy/types";
import { formatPrivateAddress } from "./chat-place.ts";

/** Whose updates are translated. */
export interface TranslationTarget {
  readonly account: string;
  readonly botUsername: string;
}

/** Why an update is no message for an agent. */
export type IgnoredUpdate = "unknown_kind" | "group" | "from_bot" | "no_text";

/** The message in an update, or why there is none. Pure. */
export function translateUpdate(update: Update, target: TranslationTarget): InboundMessage | IgnoredUpdate {
  const edited = update.edited_message;
  const message = update.message ?? edited;
  if (message === undefined) return "unknown_kind";
  if (message.chat.type !== "private") return "group";
  if (message.from.is_bot) return "from_bot";
  // What is written under a photo is as much said as any text.
  const text = message.text ?? message.caption;
  if (text === undefined) return "no_text";
  return {
    id: String(message.message_id),
    address: formatPrivateAddress(target.account, message),
    sender: { id: String(message.from.id), displayName: formatName(message.from) },
    text: stripBotName(text, target.botUsername),
    at: message.date * 1000,
    ...(message === edited && { editedAt: (message.edit_date ?? message.date) * 1000 }),
  };
}

function formatName(user: User): string {
  return user.last_name === undefined ? user.first_name : `${user.first_name} ${user.last_name}`;
}

/** `/cmd@thisbot args` becomes `/cmd args`; a command for another bot stays as it is. */
function stripBotName(text: string, botUsername: string): string {
  if (!text.startsWith("/")) return text;
  const [command, name] = /^\/\w{1,32}@(\w{1,32})(?!\S)/.exec(text) ?? [];
  if (command === undefined || name?.toLowerCase() !== botUsername.toLowerCase()) return text;
  return command.slice(0, -name.length - 1) + text.slice(command.length);
}
