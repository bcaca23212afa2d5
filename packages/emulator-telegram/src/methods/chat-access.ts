import { type Refusal, refuse, refuseMigrated, refuseRequest } from "../answers/answer.ts";
import type { Chat } from "../chats/chat.ts";
import { hasRight, isAdministrator, isMember } from "../chats/membership.ts";
import type { Room } from "../chats/room.ts";
import type { Call } from "./method.ts";

/** Where a bot can write. */
export type Place = Chat | Room;

/** What the bot wants to do there; each needs what stands before it. */
export type Need = "read" | "edit" | "write";

/** The chat a bot names, or why it may not do there what it wants: a bot may not speak first. */
export function resolveChat(call: Call, chatId: number | string | undefined, need: Need = "write"): Place | Refusal {
  if (chatId === undefined || chatId === "") return refuseRequest("chat_id is empty");
  const room = call.platform.rooms.find(chatId);
  if (room !== undefined) return checkRoom(call, room, need) ?? room;
  if (typeof chatId === "string") return refuseRequest("chat not found");
  const chat = call.bot.chats.get(chatId);
  if (chat?.isStarted !== true) {
    return need === "read" || call.platform.findPerson(chatId) === undefined
      ? refuseRequest("chat not found")
      : refuse(403, "Forbidden: bot can't initiate conversation with a user");
  }
  if (need === "read") return chat;
  if (chat.person.isDeactivated) return refuse(403, "Forbidden: user is deactivated");
  if (chat.isBlocked) return refuse(403, "Forbidden: bot was blocked by the user");
  return chat;
}

/** A room, or why it cannot be named here. */
export function resolveRoom(call: Call, chatId: number | string | undefined, need: Need): Room | Refusal {
  const place = resolveChat(call, chatId, need);
  if ("ok" in place || place.kind !== "private") return place;
  return refuseRequest("chat not found");
}

function checkRoom({ bot }: Call, room: Room, need: Need): Refusal | undefined {
  const membership = room.members.get(bot.id);
  const isPublic = room.username !== undefined;
  if (membership === undefined && !isPublic) return refuseRequest("chat not found");
  if (room.kind === "group" && room.migratedTo !== undefined) {
    return need === "write" ? refuseMigrated(room.migratedTo) : undefined;
  }
  if (room.isDeleted) return need === "read" ? undefined : refuse(403, "Forbidden: the group chat was deleted");

  // A basic group may still be read by who left it, a public room by anyone.
  const mayLook = need === "read" && (room.kind === "group" || isPublic);
  if (membership?.status === "kicked" && !(need === "read" && room.kind === "group")) {
    return refuse(403, `Forbidden: bot was kicked from the ${room.kind} chat`);
  }
  if (!isMember(membership))
    return mayLook ? undefined : refuse(403, `Forbidden: bot is not a member of the ${room.kind} chat`);
  if (need !== "write") return undefined;
  if (room.kind === "channel") {
    return isAdministrator(membership) && hasRight(membership, room.kind, "can_post_messages")
      ? undefined
      : refuseRequest("need administrator rights in the channel chat");
  }
  return membership.status === "restricted" && !hasRight(membership, room.kind, "can_send_messages")
    ? refuseRequest("not enough rights to send text messages to the chat")
    : undefined;
}
