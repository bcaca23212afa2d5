import { type APIMessage, GatewayIntentBits } from "discord-api-types/v10";
import { buildMember } from "../wire/member-wire.ts";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { tellChannel } from "./audience.ts";

/** Nothing where the user has put it there already. */
export function addReaction(world: World, channel: Channel, message: APIMessage, emoji: string, userId: string): void {
  const byEmoji = channel.reactions.get(message.id) ?? new Map<string, Set<string>>();
  channel.reactions.set(message.id, byEmoji);
  const userIds = byEmoji.get(emoji) ?? new Set<string>();
  byEmoji.set(emoji, userIds);
  if (userIds.has(userId)) return;
  userIds.add(userId);
  const member = world.guilds.get(channel.guildId ?? "")?.members.get(userId);
  tellReaction(world, channel, "MESSAGE_REACTION_ADD", {
    ...buildReaction(channel, message, emoji, userId),
    message_author_id: message.author.id,
    ...(member !== undefined && { member: buildMember(world, member) }),
  });
}

export function removeReaction(
  world: World,
  channel: Channel,
  message: APIMessage,
  emoji: string,
  userId: string,
): void {
  const byEmoji = channel.reactions.get(message.id);
  const userIds = byEmoji?.get(emoji);
  if (userIds?.delete(userId) !== true) return;
  if (userIds.size === 0) byEmoji?.delete(emoji);
  tellReaction(world, channel, "MESSAGE_REACTION_REMOVE", buildReaction(channel, message, emoji, userId));
}

function buildReaction(channel: Channel, message: APIMessage, emoji: string, userId: string): object {
  return {
    user_id: userId,
    channel_id: channel.id,
    message_id: message.id,
    ...(channel.guildId !== undefined && { guild_id: channel.guildId }),
    emoji: { id: null, name: emoji },
    burst: false,
    type: 0,
  };
}

function tellReaction(world: World, channel: Channel, type: string, data: object): void {
  const intent =
    channel.dm === undefined ? GatewayIntentBits.GuildMessageReactions : GatewayIntentBits.DirectMessageReactions;
  tellChannel(world, channel, { type, data, intent });
}
