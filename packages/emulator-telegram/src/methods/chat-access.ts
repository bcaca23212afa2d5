import { type Refusal, refuse, refuseRequest } from "../answers/answer.ts";
import type { Chat } from "../chats/chat.ts";
import type { Call } from "./method.ts";

/** The chat a bot names, or why it cannot be written to: a bot may not speak first. */
export function resolveChat(call: Call, chatId: number | string | undefined): Chat | Refusal {
  if (chatId === undefined || chatId === "") return refuseRequest("chat_id is empty");
  if (typeof chatId === "string") return refuseRequest("chat not found");
  const chat = call.bot.chats.get(chatId);
  if (chat?.isStarted !== true) {
    return call.platform.findPerson(chatId) === undefined
      ? refuseRequest("chat not found")
      : refuse(403, "Forbidden: bot can't initiate conversation with a user");
  }
  if (chat.person.isDeactivated) return refuse(403, "Forbidden: user is deactivated");
  if (chat.isBlocked) return refuse(403, "Forbidden: bot was blocked by the user");
  return chat;
}
