import { GatewayIntentBits, type ThreadAutoArchiveDuration } from "discord-api-types/v10";
import { buildChannel, buildThreadMember } from "../wire/channel-wire.ts";
import type { Channel, ThreadState } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { tellBot, tellChannel } from "./audience.ts";

/** What may become of a thread; what is left out stays. */
export interface ThreadChange {
  readonly name?: string;
  readonly isArchived?: boolean;
  readonly isLocked?: boolean;
  readonly isInvitable?: boolean;
  readonly autoArchiveMin?: ThreadAutoArchiveDuration;
  readonly slowmodeS?: number;
  readonly appliedTagIds?: readonly string[];
}

export function changeThread(world: World, channel: Channel, thread: ThreadState, change: ThreadChange): void {
  if (change.isArchived !== undefined && change.isArchived !== thread.isArchived) {
    thread.isArchived = change.isArchived;
    thread.archiveChangedAtMs = world.clock.nowMs();
    const active = world.guilds.get(channel.guildId ?? "")?.activeThreadIds;
    if (thread.isArchived) active?.delete(channel.id);
    else active?.add(channel.id);
  }
  thread.isLocked = change.isLocked ?? thread.isLocked;
  thread.isInvitable = change.isInvitable ?? thread.isInvitable;
  thread.autoArchiveMin = change.autoArchiveMin ?? thread.autoArchiveMin;
  thread.appliedTagIds = change.appliedTagIds ?? thread.appliedTagIds;
  channel.name = change.name ?? channel.name;
  channel.slowmodeS = change.slowmodeS ?? channel.slowmodeS;
  tellChannel(world, channel, {
    type: "THREAD_UPDATE",
    data: buildChannel(world, channel),
    intent: GatewayIntentBits.Guilds,
  });
}

/** A plain send wakes an archived thread (D22). */
export function unarchiveThread(world: World, channel: Channel): void {
  if (channel.thread?.isArchived === true) changeThread(world, channel, channel.thread, { isArchived: false });
}

/** Nothing where the user is in it already. */
export function joinThread(world: World, channel: Channel, userId: string): void {
  const { thread } = channel;
  if (thread === undefined || thread.memberIds.has(userId)) return;
  const joinedAtMs = world.clock.nowMs();
  thread.memberIds.set(userId, joinedAtMs);
  const member = buildThreadMember(channel.id, userId, joinedAtMs);
  const bot = world.bots.find(userId);
  if (bot !== undefined) {
    // A bot that is put into a thread hears of it as of a new one (D55).
    tellBot(world, bot, {
      type: "THREAD_CREATE",
      data: { ...buildChannel(world, channel), member },
      intent: GatewayIntentBits.Guilds,
    });
  }
  tellMembers(world, channel, { added_members: [member] }, [userId]);
}

export function leaveThread(world: World, channel: Channel, userId: string): void {
  if (channel.thread?.memberIds.delete(userId) !== true) return;
  tellMembers(world, channel, { removed_member_ids: [userId] }, [userId]);
}

/** With the intent everybody's coming and going is told, without it only a bot's own. */
function tellMembers(world: World, channel: Channel, change: object, userIds: readonly string[]): void {
  const data = {
    id: channel.id,
    guild_id: channel.guildId,
    member_count: Math.min(50, channel.thread?.memberIds.size ?? 0),
    ...change,
  };
  const news = { type: "THREAD_MEMBERS_UPDATE", data };
  tellChannel(world, channel, { ...news, intent: GatewayIntentBits.GuildMembers });
  for (const bot of world.bots.all()) {
    if (!userIds.includes(bot.id)) continue;
    const sessions = [...bot.sessions.values()].filter(
      ({ intents }) => (intents & GatewayIntentBits.GuildMembers) === 0,
    );
    for (const session of sessions) session.dispatch(news.type, JSON.stringify(data));
  }
}
