/** What a bot may reach and do: the checks that most routes begin with. */

import type { APIMessage } from "discord-api-types/v10";
import { ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import { isSnowflake } from "../ports/snowflake.ts";
import type { Channel, ThreadState } from "../world/channel.ts";
import type { Guild } from "../world/guild.ts";
import type { PermissionName } from "../world/permission.ts";
import type { Call } from "./call.ts";
import { buildFieldError } from "./form-error.ts";
import { refuse, refuseForm } from "./refusal.ts";

/** The channel of the path, or of another id; 10003 where there is none, 50001 where the bot may not see it. */
export function getChannel(call: Call, channelId: string = call.path.channel ?? ""): Channel {
  if (!isSnowflake(channelId)) {
    const message = `Value "${channelId}" is not snowflake.`;
    throw refuseForm(buildFieldError(["channel_id"], "NUMBER_TYPE_COERCE", message));
  }
  const channel = call.world.findChannel(channelId);
  if (channel === undefined) throw refuse(10003);
  if (!call.world.canSee(call.bot.id, channel)) throw refuse(50001);
  return channel;
}

export function getGuild(call: Call): Guild {
  const guild = call.world.guilds.get(call.path.guild ?? "");
  if (guild === undefined || !guild.botIds.has(call.bot.id)) throw refuse(10004);
  return guild;
}

export function getMessage(channel: Channel, messageId: string | undefined): APIMessage {
  const message = channel.log.find(messageId ?? "");
  if (message === undefined) throw refuse(10008);
  return message;
}

export function getThread(channel: Channel): ThreadState {
  if (channel.thread === undefined) throw refuse(50024);
  return channel.thread;
}

export function isAllowed({ world, bot }: Call, channel: Channel, name: PermissionName): boolean {
  return (world.readPermissions(bot.id, channel) & PermissionFlagsBits[name]) !== 0n;
}

export function requirePermission(call: Call, channel: Channel, name: PermissionName): void {
  if (!isAllowed(call, channel, name)) throw refuse(50013);
}

/** Whether a new message of the bot may stand in the channel (D17, D22, D23, D28, D29, D33). */
export function requireSending(call: Call, channel: Channel): void {
  const { world, bot } = call;
  if (channel.isForum) throw refuse(40058);
  if (!channel.holdsMessages) throw refuse(50008);
  if (channel.dm !== undefined) {
    if (world.getPerson(channel.dm.userId).takesDms) return;
    throw refuse(50007);
  }
  requirePermission(call, channel, channel.thread === undefined ? "SendMessages" : "SendMessagesInThreads");
  if (channel.thread?.isLocked === true && !isAllowed(call, channel, "ManageThreads"))
    throw refuse(channel.thread.isArchived ? 50083 : 160005);
  requirePace(call, channel, bot.id);
}

/** What AutoMod lets through; a bot that manages the guild is let through with everything (D32). */
export function requireClean(call: Call, channel: Channel, text: string, code: 200000 | 200001): void {
  const words = call.world.guilds.get(channel.guildId ?? "")?.blockedWords;
  if (words === undefined || words.size === 0 || isAllowed(call, channel, "ManageGuild")) return;
  const lower = text.toLowerCase();
  if ([...words].some((word) => lower.includes(word))) throw refuse(code);
}

/** Slowmode does not hold for those who manage messages or the channel (Channels, "rate_limit_per_user"). */
function requirePace(call: Call, channel: Channel, userId: string): void {
  const { slowmodeS } = channel;
  if (slowmodeS === 0 || isAllowed(call, channel, "ManageMessages")) return;
  if (isAllowed(call, channel, "ManageChannels")) return;
  const sinceMs = call.world.clock.nowMs() - (channel.lastWroteMs.get(userId) ?? Number.NEGATIVE_INFINITY);
  const leftMs = slowmodeS * 1000 - sinceMs;
  if (leftMs > 0) throw refuse(20016, leftMs / 1000);
}

/** Whether threads can begin in such a channel. */
export function requireThreadParent(channel: Channel): void {
  const { type } = channel;
  if (channel.dm !== undefined) throw refuse(50024);
  if (channel.isForum || type === ChannelType.GuildText || type === ChannelType.GuildAnnouncement) return;
  throw refuse(50024);
}
