import { hasRight, isAdministrator, isMember } from "../chats/membership.ts";
import type { WireSender } from "../chats/message.ts";
import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import { CHANNEL_BOT, GROUP_ANONYMOUS_BOT } from "../chats/system-account.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import type { RoomLine } from "./room-control.ts";

/** What a message shows as its sender; a line that Telegram would not take from this author is a test's mistake. */
export function buildRoomSender(
  platform: Platform,
  room: Room,
  account: WireUser,
  guise: RoomLine["guise"],
): WireSender {
  const refuse = (reason: string): EmulatorError =>
    new EmulatorError("invalid_request", `writing in ${room.title} as ${account.first_name}: ${reason}`);
  const membership = room.members.get(account.id);
  if (room.migratedTo !== undefined || room.isDeleted) throw refuse("no one can write there any more");
  if (!isMember(membership) && room.username === undefined) throw refuse("not in the room; add the member first");
  if (membership?.status === "restricted" && !hasRight(membership, room.kind, "can_send_messages")) {
    throw refuse("not allowed to send");
  }
  const title = membership?.customTitle;
  const signature = title !== undefined && { author_signature: title };
  if (room.kind === "channel") {
    if (!isAdministrator(membership)) throw refuse("only administrators post in a channel");
    return { sender_chat: room.profile, ...signature };
  }
  if (guise === undefined) return { from: account };
  if (room.kind === "group") throw refuse("only supergroups have anonymous and channel senders");
  if (guise === "anonymous") {
    if (!isAdministrator(membership)) throw refuse("only administrators are anonymous");
    return { from: GROUP_ANONYMOUS_BOT, sender_chat: room.profile, ...signature };
  }
  const channel = platform.rooms.get(guise);
  if (channel.kind !== "channel" || !isAdministrator(channel.members.get(account.id))) {
    throw refuse("it is no channel of the author");
  }
  return { from: CHANNEL_BOT, sender_chat: channel.profile };
}
