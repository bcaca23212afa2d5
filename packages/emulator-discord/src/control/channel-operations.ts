import { ChannelType } from "discord-api-types/v10";
import { z } from "zod";
import { changeChannel, deleteChannel, tellChanged } from "../acts/change-channel.ts";
import { changeAccess } from "../acts/gain-access.ts";
import { EmulatorError } from "../ports/error.ts";
import { parsePermissions } from "../world/permission.ts";
import { nothing } from "./answer.ts";
import { buildChannelState, type ChannelState, channelStateSchema } from "./channel-state.ts";
import type { Operation } from "./operation.ts";

export type GuildChannelKind = "text" | "announcement" | "forum" | "voice" | "category";

const TYPES: Readonly<Record<GuildChannelKind, ChannelType>> = {
  text: ChannelType.GuildText,
  announcement: ChannelType.GuildAnnouncement,
  forum: ChannelType.GuildForum,
  voice: ChannelType.GuildVoice,
  category: ChannelType.GuildCategory,
};

export interface ChannelSpec {
  readonly guildId: string;
  readonly name: string;
  readonly kind: GuildChannelKind;
  /** A category. */
  readonly parentId?: string;
  readonly topic?: string;
  /** Of a forum: whether a post without a tag is refused (D28). */
  readonly requiresTag?: boolean;
  /** Of a forum. */
  readonly tags?: readonly string[];
}

export interface OverwriteSpec {
  readonly channelId: string;
  /** A role, a person or a bot; the guild's id is @everyone. */
  readonly targetId: string;
  /** Names of PermissionFlagsBits. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface ChannelAlteration {
  readonly channelId: string;
  readonly name?: string;
  readonly topic?: string | null;
  readonly slowmodeS?: number;
  readonly isDeleted?: true;
}

export const createChannel: Operation<ChannelSpec, ChannelState> = {
  name: "createChannel",
  request: z.strictObject({
    guildId: z.string(),
    name: z.string().min(1).max(100),
    kind: z.enum(["text", "announcement", "forum", "voice", "category"]),
    parentId: z.string().exactOptional(),
    topic: z.string().exactOptional(),
    requiresTag: z.boolean().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
  }),
  answer: channelStateSchema,
  run: ({ world }, { guildId, name, kind, parentId, ...rest }) => {
    const guild = world.getGuild(guildId);
    const place = { guildId, position: guild.channels.size, ...(parentId !== undefined && { parentId }) };
    const channel = world.addChannel({ id: world.nextId(), type: TYPES[kind], name, ...place });
    channel.topic = rest.topic ?? null;
    channel.requiresTag = rest.requiresTag ?? false;
    channel.tags = (rest.tags ?? []).map((tag) => ({ id: world.nextId(), name: tag, isModerated: false }));
    tellChanged(world, channel, "CHANNEL_CREATE");
    return buildChannelState(world, channel);
  },
};

export const readChannel: Operation<{ readonly channelId: string }, ChannelState> = {
  name: "readChannel",
  request: z.strictObject({ channelId: z.string() }),
  answer: channelStateSchema,
  run: ({ world }, { channelId }) => buildChannelState(world, world.getChannel(channelId)),
};

export const setPermissions: Operation<OverwriteSpec, void> = {
  name: "setPermissions",
  request: z.strictObject({
    channelId: z.string(),
    targetId: z.string(),
    allow: z.array(z.string()),
    deny: z.array(z.string()),
  }),
  answer: nothing,
  run: ({ world }, { channelId, targetId, allow, deny }) => {
    const channel = world.getChannel(channelId);
    const isRole = world.guilds.get(channel.guildId ?? "")?.roles.has(targetId) === true;
    if (channel.thread !== undefined || (!isRole && world.findUser(targetId) === undefined)) {
      const text = `setting permissions of ${targetId} in channel ${channelId}: it is a thread, or no role or member has that id`;
      throw new EmulatorError("invalid_request", text);
    }
    const kind = isRole ? "role" : "member";
    const overwrite = { id: targetId, kind, allow: parsePermissions(allow), deny: parsePermissions(deny) } as const;
    changeAccess(world, channel, () => channel.overwrites.set(targetId, overwrite));
    tellChanged(world, channel, "CHANNEL_UPDATE");
  },
};

export const alterChannel: Operation<ChannelAlteration, ChannelState> = {
  name: "alterChannel",
  request: z.strictObject({
    channelId: z.string(),
    name: z.string().min(1).max(100).exactOptional(),
    topic: z.string().nullable().exactOptional(),
    slowmodeS: z.int().min(0).max(21_600).exactOptional(),
    isDeleted: z.literal(true).exactOptional(),
  }),
  answer: channelStateSchema,
  run: ({ world }, { channelId, isDeleted, ...change }) => {
    const channel = world.getChannel(channelId);
    if (isDeleted === true && !channel.isDeleted) deleteChannel(world, channel);
    else if (!channel.isDeleted) changeChannel(world, channel, change);
    return buildChannelState(world, channel);
  },
};
