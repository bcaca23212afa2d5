import {
  type APIThreadChannel,
  type APIThreadMember,
  ChannelType,
  type ThreadChannelType,
} from "discord-api-types/v10";
import type { Channel, ThreadState } from "../world/channel.ts";
import { NO_FLAGS } from "../world/user.ts";
import type { World } from "../world/world.ts";

/** A channel of the API: what each has, and the fields of its type. */
export interface WireChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly [field: string]: unknown;
}

/** Discord stops counting a thread's members here (Threads, "member_count"). */
const COUNTED_MEMBERS = 50;

export function buildChannel(world: World, channel: Channel): WireChannel {
  const { id, type, thread, dm } = channel;
  if (dm !== undefined) {
    const person = world.findUser(dm.userId);
    const recipients = person === undefined ? [] : [person];
    return { id, type, last_message_id: channel.lastMessageId, flags: 0, recipients };
  }
  return thread === undefined ? buildGuildChannel(channel) : { ...buildThread(channel, thread) };
}

/** A thread as one sees it who may be in it. */
export function buildThreadFor(channel: Channel, thread: ThreadState, userId: string): APIThreadChannel {
  const joinedAtMs = thread.memberIds.get(userId);
  const wire = buildThread(channel, thread);
  return joinedAtMs === undefined ? wire : { ...wire, member: buildThreadMember(channel.id, userId, joinedAtMs) };
}

export function buildThreadMember(threadId: string, userId: string, joinedAtMs: number): APIThreadMember {
  return { id: threadId, user_id: userId, join_timestamp: new Date(joinedAtMs).toISOString(), flags: NO_FLAGS };
}

function buildGuildChannel(channel: Channel): WireChannel {
  const { id, type, guildId, name, topic, position, parentId, slowmodeS, lastMessageId } = channel;
  return {
    id,
    type,
    guild_id: guildId,
    name,
    position,
    parent_id: parentId ?? null,
    nsfw: false,
    flags: channel.requiresTag ? 16 : 0,
    permission_overwrites: [...channel.overwrites.values()].map(({ id: of, kind, allow, deny }) => ({
      id: of,
      type: kind === "role" ? 0 : 1,
      allow: allow.toString(),
      deny: deny.toString(),
    })),
    ...(type !== ChannelType.GuildCategory && {
      topic,
      rate_limit_per_user: slowmodeS,
      last_message_id: lastMessageId,
    }),
    ...(type === ChannelType.GuildVoice && { bitrate: 64_000, user_limit: 0, rtc_region: null }),
    ...(channel.isForum && buildForum(channel)),
  };
}

function buildForum({ tags }: Channel): Readonly<Record<string, unknown>> {
  return {
    available_tags: tags.map(({ id, name, isModerated }) => ({
      id,
      name,
      moderated: isModerated,
      emoji_id: null,
      emoji_name: null,
    })),
    default_reaction_emoji: null,
    default_sort_order: null,
    default_forum_layout: 0,
  };
}

export function buildThread(channel: Channel, thread: ThreadState): APIThreadChannel {
  const { id, name, type, guildId, parentId, lastMessageId, slowmodeS } = channel;
  return {
    id,
    type: narrowThreadType(type),
    ...(guildId !== undefined && { guild_id: guildId }),
    ...(parentId !== undefined && { parent_id: parentId }),
    owner_id: thread.ownerId,
    name,
    last_message_id: lastMessageId,
    rate_limit_per_user: slowmodeS,
    message_count: thread.messageCount,
    total_message_sent: thread.totalMessageCount,
    member_count: Math.min(COUNTED_MEMBERS, thread.memberIds.size),
    flags: NO_FLAGS,
    thread_metadata: {
      archived: thread.isArchived,
      archive_timestamp: new Date(thread.archiveChangedAtMs).toISOString(),
      auto_archive_duration: thread.autoArchiveMin,
      locked: thread.isLocked,
      create_timestamp: new Date(thread.createdAtMs).toISOString(),
      ...(type === ChannelType.PrivateThread && { invitable: thread.isInvitable }),
    },
    ...(thread.appliedTagIds.length > 0 && { applied_tags: [...thread.appliedTagIds] }),
  };
}

function narrowThreadType(type: ChannelType): ThreadChannelType {
  if (type === ChannelType.AnnouncementThread || type === ChannelType.PrivateThread) return type;
  return ChannelType.PublicThread;
}
