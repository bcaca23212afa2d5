import { GatewayIntentBits } from "discord-api-types/v10";
import { buildThreadFor, buildThreadMember } from "../wire/channel-wire.ts";
import type { Bot } from "../world/bot.ts";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { tellBot } from "./audience.ts";

/** Changes what may be seen of a channel; bots that see it only now are told of its active threads (D55). */
export function changeAccess(world: World, channel: Channel, change: () => void): void {
  const bots = [...(world.guilds.get(channel.guildId ?? "")?.botIds ?? [])].map((id) => world.bots.get(id));
  const blind = bots.filter(({ id }) => !world.canSee(id, channel));
  change();
  for (const bot of blind) if (world.canSee(bot.id, channel)) tellThreads(world, channel, bot);
}

function tellThreads(world: World, parent: Channel, bot: Bot): void {
  const guild = world.getGuild(parent.guildId ?? "");
  const threads = [...guild.activeThreadIds]
    .map((id) => guild.channels.get(id))
    .filter((channel) => channel !== undefined)
    .filter((channel) => channel.parentId === parent.id && world.canSee(bot.id, channel));
  const data = {
    guild_id: guild.id,
    channel_ids: [parent.id],
    threads: threads.map((channel) => channel.thread && buildThreadFor(channel, channel.thread, bot.id)),
    members: threads.flatMap((channel) => {
      const joinedAtMs = channel.thread?.memberIds.get(bot.id);
      return joinedAtMs === undefined ? [] : [buildThreadMember(channel.id, bot.id, joinedAtMs)];
    }),
  };
  tellBot(world, bot, { type: "THREAD_LIST_SYNC", data, intent: GatewayIntentBits.Guilds });
}
