import { type APIEmbed, type APIMessage, GatewayIntentBits } from "discord-api-types/v10";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { tellChannel, tellMessage } from "./audience.ts";

/** A new version of a message, told as MESSAGE_UPDATE with its edited_timestamp. */
export function editMessage(
  world: World,
  channel: Channel,
  message: APIMessage,
  change: Partial<APIMessage>,
): APIMessage {
  const nowMs = world.clock.nowMs();
  const edited = { ...message, ...change, edited_timestamp: new Date(nowMs).toISOString() };
  channel.log.edit(edited, nowMs);
  tellMessage(world, channel, "MESSAGE_UPDATE", edited);
  return edited;
}

/** Shows something new of a message that its author did not write, such as a link's preview: no edited_timestamp (D57). */
export function amendMessage(
  world: World,
  channel: Channel,
  message: APIMessage,
  change: Partial<APIMessage>,
): APIMessage {
  const amended = { ...message, ...change };
  channel.log.amend(amended);
  tellMessage(world, channel, "MESSAGE_UPDATE", amended);
  return amended;
}

/** The preview of a link, told with nothing else of the message (D57). */
export function unfurlMessage(world: World, channel: Channel, message: APIMessage, embeds: APIEmbed[]): void {
  channel.log.amend({ ...message, embeds: [...message.embeds, ...embeds] });
  const guild = channel.guildId === undefined ? {} : { guild_id: channel.guildId };
  tellChannel(world, channel, {
    type: "MESSAGE_UPDATE",
    data: { id: message.id, channel_id: channel.id, ...guild, embeds },
    intent: channel.dm === undefined ? GatewayIntentBits.GuildMessages : GatewayIntentBits.DirectMessages,
  });
}

export function deleteMessage(world: World, channel: Channel, messageId: string): void {
  channel.log.delete(messageId, world.clock.nowMs());
  if (channel.thread !== undefined) channel.thread.messageCount = Math.max(0, channel.thread.messageCount - 1);
  tellChannel(world, channel, {
    type: "MESSAGE_DELETE",
    data: {
      id: messageId,
      channel_id: channel.id,
      ...(channel.guildId !== undefined && { guild_id: channel.guildId }),
    },
    intent: channel.dm === undefined ? GatewayIntentBits.GuildMessages : GatewayIntentBits.DirectMessages,
  });
}
