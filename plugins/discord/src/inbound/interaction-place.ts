import type { DiscordInteraction } from "./discord-interaction.ts";
import type { MessagePlace } from "./message-place.ts";

/** Threads of news and of text channels, public and private ("Channel Types", docs.discord.com/developers/resources/channel). */
const THREAD_TYPES: ReadonlySet<number> = new Set([10, 11, 12]);
/** "Interaction Context Types", docs.discord.com/developers/interactions/receiving-and-responding. */
const PRIVATE_CHANNEL = 2;

/** Where it was made; `undefined` where the bot is not, or where the payload does not tell. */
export function readInteractionPlace(interaction: DiscordInteraction): MessagePlace | undefined {
  const { guild_id: guildId, channel, channel_id: channelId = channel?.id, context } = interaction;
  if (channelId === undefined || context === PRIVATE_CHANNEL) return undefined;
  if (guildId === undefined) return { kind: "dm", channelId };
  if (channel === undefined || !THREAD_TYPES.has(channel.type ?? 0)) return { kind: "channel", channelId, guildId };
  const { parent_id: parentId } = channel;
  return parentId === undefined ? undefined : { kind: "thread", channelId, parentId, guildId };
}
