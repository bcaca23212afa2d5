import { accept, refuseRequest } from "../answers/answer.ts";
import type { Method } from "./method.ts";

/** A private chat of the bot; a user who never wrote to it is not found. */
export const getChat: Method = ({ bot, read }) => {
  const chatId = read.chatId("chat_id");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  const chat = typeof chatId === "number" ? bot.chats.get(chatId) : undefined;
  if (chat?.isStarted !== true) return refuseRequest("chat not found");
  const { username } = chat.profile;
  return accept({
    ...chat.profile,
    ...(username !== undefined && { active_usernames: [username] }),
    accent_color_id: chat.profile.id % 7,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: true,
      limited_gifts: true,
      unique_gifts: true,
      premium_subscription: true,
      gifts_from_channels: true,
    },
  });
};
