import {
  ChannelType,
  GatewayIntentBits,
  MessageFlags,
  MessageType,
  type ThreadAutoArchiveDuration,
} from "discord-api-types/v10";
import { buildChannel, buildThreadFor } from "../wire/channel-wire.ts";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { tellBot, tellChannel } from "./audience.ts";
import { amendMessage } from "./change-message.ts";
import { postMessage } from "./post-message.ts";
import { watchRest } from "./rest-thread.ts";

export interface NewThread {
  readonly parent: Channel;
  readonly ownerId: string;
  readonly name: string;
  readonly autoArchiveMin: ThreadAutoArchiveDuration;
  /** The message it begins at; its id becomes the thread's. */
  readonly starterId?: string;
  readonly isPrivate?: boolean;
  readonly isInvitable?: boolean;
  readonly slowmodeS?: number;
  readonly appliedTagIds?: readonly string[];
}

/** Opens a thread, with its owner in it; whoever does so has looked before whether that may be. */
export function openThread(world: World, init: NewThread): Channel {
  const { parent, ownerId, starterId } = init;
  const nowMs = world.clock.nowMs();
  const channel = world.addChannel({
    id: starterId ?? world.nextId(),
    type: decideType(parent, init.isPrivate ?? false),
    name: init.name,
    ...(parent.guildId !== undefined && { guildId: parent.guildId }),
    parentId: parent.id,
    thread: {
      ownerId,
      createdAtMs: nowMs,
      isArchived: false,
      isLocked: false,
      isInvitable: init.isInvitable ?? true,
      autoArchiveMin: init.autoArchiveMin,
      archiveChangedAtMs: nowMs,
      appliedTagIds: init.appliedTagIds ?? [],
      messageCount: 0,
      totalMessageCount: 0,
      memberIds: new Map([[ownerId, nowMs]]),
    },
  });
  channel.slowmodeS = init.slowmodeS ?? 0;
  world.guilds.get(parent.guildId ?? "")?.activeThreadIds.add(channel.id);
  watchRest(world, channel);
  tellOpened(world, channel, ownerId);
  if (parent.isForum) parent.lastMessageId = channel.id;
  else tellParent(world, init, channel);
  return channel;
}

function decideType(parent: Channel, isPrivate: boolean): ChannelType {
  if (parent.type === ChannelType.GuildAnnouncement) return ChannelType.AnnouncementThread;
  return isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread;
}

function tellOpened(world: World, channel: Channel, ownerId: string): void {
  const news = { type: "THREAD_CREATE", intent: GatewayIntentBits.Guilds };
  tellChannel(world, channel, { ...news, data: { ...buildChannel(world, channel), newly_created: true } });
  const owner = world.bots.find(ownerId);
  if (owner === undefined) return;
  const joinedAtMs = channel.thread?.memberIds.get(ownerId) ?? 0;
  tellBot(world, owner, {
    type: "THREAD_MEMBERS_UPDATE",
    intent: GatewayIntentBits.Guilds,
    data: {
      id: channel.id,
      guild_id: channel.guildId,
      member_count: 1,
      added_members: [
        { id: channel.id, user_id: ownerId, join_timestamp: new Date(joinedAtMs).toISOString(), flags: 0 },
      ],
    },
  });
}

/** A thread from a message shows it as its first one; any other public thread is told in the channel (D54). */
function tellParent(world: World, { parent, starterId, ownerId, isPrivate }: NewThread, channel: Channel): void {
  const owner = world.findUser(ownerId);
  if (starterId !== undefined) {
    const starter = parent.log.find(starterId);
    if (starter === undefined || channel.thread === undefined) return;
    const thread = buildThreadFor(channel, channel.thread, ownerId);
    amendMessage(world, parent, starter, { flags: (starter.flags ?? 0) | MessageFlags.HasThread, thread });
    postMessage(world, {
      channel,
      author: starter.author,
      content: "",
      type: MessageType.ThreadStarterMessage,
      reference: { message_id: starterId, channel_id: parent.id, ...guildOf(parent) },
    });
  } else if (isPrivate !== true && owner !== undefined) {
    postMessage(world, {
      channel: parent,
      author: owner,
      content: channel.name,
      type: MessageType.ThreadCreated,
      reference: { channel_id: channel.id, ...guildOf(parent) },
    });
  }
}

function guildOf({ guildId }: Channel): { readonly guild_id?: string } {
  return guildId === undefined ? {} : { guild_id: guildId };
}
