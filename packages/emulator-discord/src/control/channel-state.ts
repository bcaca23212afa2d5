import { ChannelType } from "discord-api-types/v10";
import { z } from "zod";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";

const KINDS = ["text", "announcement", "forum", "voice", "category", "thread", "private-thread", "dm"] as const;
export type ChannelKind = (typeof KINDS)[number];

/** A channel, a thread or a DM as a test sees it. */
export interface ChannelState {
  readonly id: string;
  readonly kind: ChannelKind;
  /** Of a DM the person's name. */
  readonly name: string;
  readonly guildId?: string;
  readonly parentId?: string;
  readonly isDeleted: boolean;
  readonly isArchived: boolean;
  readonly isLocked: boolean;
  readonly slowmodeS: number;
  /** Of a thread; in a DM the bot and the person. */
  readonly memberIds: readonly string[];
  readonly autoArchiveMin?: number;
  /** Of a forum. */
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  /** Of a forum post. */
  readonly appliedTagIds: readonly string[];
}

export const channelStateSchema: z.ZodType<ChannelState> = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  name: z.string(),
  guildId: z.string().exactOptional(),
  parentId: z.string().exactOptional(),
  isDeleted: z.boolean(),
  isArchived: z.boolean(),
  isLocked: z.boolean(),
  slowmodeS: z.number(),
  memberIds: z.array(z.string()),
  autoArchiveMin: z.number().exactOptional(),
  tags: z.array(z.object({ id: z.string(), name: z.string() })),
  appliedTagIds: z.array(z.string()),
});

export function isThread({ kind }: Pick<ChannelState, "kind">): boolean {
  return kind === "thread" || kind === "private-thread";
}

export function buildChannelState(world: World, channel: Channel): ChannelState {
  const { id, guildId, parentId, isDeleted, slowmodeS, thread, dm } = channel;
  return {
    id,
    kind: nameKind(channel.type),
    name: dm === undefined ? channel.name : (world.findUser(dm.userId)?.username ?? dm.userId),
    ...(guildId !== undefined && { guildId }),
    ...(parentId !== undefined && { parentId }),
    isDeleted,
    isArchived: thread?.isArchived ?? false,
    isLocked: thread?.isLocked ?? false,
    slowmodeS,
    memberIds: dm === undefined ? [...(thread?.memberIds.keys() ?? [])] : [dm.botId, dm.userId],
    ...(thread !== undefined && { autoArchiveMin: thread.autoArchiveMin }),
    tags: channel.tags.map((tag) => ({ id: tag.id, name: tag.name })),
    appliedTagIds: thread?.appliedTagIds ?? [],
  };
}

function nameKind(type: ChannelType): ChannelKind {
  switch (type) {
    case ChannelType.DM:
      return "dm";
    case ChannelType.GuildAnnouncement:
      return "announcement";
    case ChannelType.GuildForum:
      return "forum";
    case ChannelType.GuildVoice:
      return "voice";
    case ChannelType.GuildCategory:
      return "category";
    case ChannelType.PublicThread:
    case ChannelType.AnnouncementThread:
      return "thread";
    case ChannelType.PrivateThread:
      return "private-thread";
    default:
      return "text";
  }
}
