import { accept } from "../answers/answer.ts";
import type { Chat } from "../chats/chat.ts";
import type { WireFields } from "../chats/message.ts";
import type { Room } from "../chats/room.ts";
import { resolveChat } from "./chat-access.ts";
import type { Method } from "./method.ts";

const GIFTS = {
  unlimited_gifts: true,
  limited_gifts: true,
  unique_gifts: true,
  premium_subscription: true,
  gifts_from_channels: true,
};
const NO_GIFTS = {
  unlimited_gifts: false,
  limited_gifts: false,
  unique_gifts: false,
  premium_subscription: false,
  gifts_from_channels: false,
};
const PERMISSIONS = {
  can_send_messages: true,
  can_send_audios: true,
  can_send_documents: true,
  can_send_photos: true,
  can_send_videos: true,
  can_send_video_notes: true,
  can_send_voice_notes: true,
  can_send_polls: true,
  can_send_other_messages: true,
  can_add_web_page_previews: true,
  can_change_info: false,
  can_invite_users: true,
  can_pin_messages: false,
  can_manage_topics: false,
};

/** A chat the bot knows; a user who never wrote to it is not found. */
export const getChat: Method = (call) => {
  const chatId = call.read.chatId("chat_id");
  const refusal = call.read.refusal();
  if (refusal !== undefined) return refusal;

  const chat = resolveChat(call, chatId, "read");
  if ("ok" in chat) return chat;
  const { username, id } = chat.profile;
  return accept({
    ...chat.profile,
    ...(username !== undefined && { active_usernames: [username] }),
    accent_color_id: Math.abs(id) % 7,
    max_reaction_count: 11,
    ...describeKind(chat),
  });
};

function describeKind(chat: Chat | Room): WireFields {
  if (chat.kind === "private") return { accepted_gift_types: GIFTS };
  return {
    accepted_gift_types: NO_GIFTS,
    ...(chat.kind !== "channel" && { permissions: PERMISSIONS }),
    ...(chat.kind === "supergroup" && { has_visible_history: true }),
    ...(chat.linkedId !== undefined && { linked_chat_id: chat.linkedId }),
  };
}
