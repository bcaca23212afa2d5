import { accept, refuseRequest } from "../answers/answer.ts";
import { buildChatMember, isAdministrator } from "../chats/membership.ts";
import { changeMembership } from "../rooms/membership-change.ts";
import { resolveRoom } from "./chat-access.ts";
import type { Method } from "./method.ts";

export const getChatMember: Method = (call) => {
  const chatId = call.read.chatId("chat_id");
  const userId = call.read.integer("user_id");
  const refusal = call.read.refusal();
  if (refusal !== undefined) return refusal;

  const room = resolveRoom(call, chatId, "read");
  if ("ok" in room) return room;
  if (userId === undefined) return refuseRequest("invalid user_id specified");
  const membership = room.members.get(userId);
  if (membership !== undefined) return accept(buildChatMember(membership, room.kind));
  const stranger = call.platform.findPerson(userId);
  if (stranger === undefined) return refuseRequest("PARTICIPANT_ID_INVALID");
  return accept({ user: stranger.profile, status: "left" });
};

export const getChatMemberCount: Method = (call) => {
  const chatId = call.read.chatId("chat_id");
  const refusal = call.read.refusal();
  if (refusal !== undefined) return refusal;

  const room = resolveRoom(call, chatId, "read");
  return "ok" in room ? room : accept(room.memberCount);
};

export const getChatAdministrators: Method = (call) => {
  const chatId = call.read.chatId("chat_id");
  const withBots = call.read.flag("return_bots");
  const refusal = call.read.refusal();
  if (refusal !== undefined) return refusal;

  const room = resolveRoom(call, chatId, "read");
  if ("ok" in room) return room;
  const administrators = [...room.members.values()].filter(
    (membership) =>
      isAdministrator(membership) && (withBots || !membership.user.is_bot || membership.user.id === call.bot.id),
  );
  return accept(administrators.map((membership) => buildChatMember(membership, room.kind)));
};

export const leaveChat: Method = (call) => {
  const { bot, platform } = call;
  const chatId = call.read.chatId("chat_id");
  const refusal = call.read.refusal();
  if (refusal !== undefined) return refusal;

  const room = resolveRoom(call, chatId, "edit");
  if ("ok" in room) return room;
  changeMembership(platform, room, { member: bot.profile, by: bot.profile, status: "left" });
  return accept(true);
};
