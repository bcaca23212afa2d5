import { GatewayIntentBits } from "discord-api-types/v10";
import { buildChannel } from "../wire/channel-wire.ts";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { tellChannel } from "./audience.ts";

export interface ChannelChange {
  readonly name?: string;
  readonly topic?: string | null;
  readonly slowmodeS?: number;
  readonly parentId?: string | null;
  readonly requiresTag?: boolean;
}

export function changeChannel(world: World, channel: Channel, change: ChannelChange): void {
  channel.name = change.name ?? channel.name;
  if (change.topic !== undefined) channel.topic = change.topic;
  channel.slowmodeS = change.slowmodeS ?? channel.slowmodeS;
  if (change.parentId !== undefined) channel.parentId = change.parentId ?? undefined;
  channel.requiresTag = change.requiresTag ?? channel.requiresTag;
  tellChanged(world, channel, "CHANNEL_UPDATE");
}

export function tellChanged(world: World, channel: Channel, type: "CHANNEL_CREATE" | "CHANNEL_UPDATE"): void {
  tellChannel(world, channel, { type, data: buildChannel(world, channel), intent: GatewayIntentBits.Guilds });
}

/** A channel takes its threads with it; of those nothing is told (Threads, "Thread Delete"). */
export function deleteChannel(world: World, channel: Channel): void {
  const isThread = channel.thread !== undefined;
  const { id, type, guildId, parentId } = channel;
  const guild = world.guilds.get(guildId ?? "");
  tellChannel(world, channel, {
    type: isThread ? "THREAD_DELETE" : "CHANNEL_DELETE",
    data: isThread ? { id, guild_id: guildId, parent_id: parentId, type } : buildChannel(world, channel),
    intent: GatewayIntentBits.Guilds,
  });
  const gone = [channel, ...[...(guild?.channels.values() ?? [])].filter((other) => isThreadOf(other, channel))];
  for (const each of gone) {
    each.isDeleted = true;
    guild?.activeThreadIds.delete(each.id);
    guild?.channels.delete(each.id);
    each.log.changed.fire();
  }
}

function isThreadOf({ thread, parentId }: Channel, channel: Channel): boolean {
  return thread !== undefined && parentId === channel.id;
}
