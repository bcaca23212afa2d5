import { PermissionFlagsBits } from "discord-api-types/v10";
import { z } from "zod";
import { EmulatorError } from "../ports/error.ts";
import type { Channel } from "../world/channel.ts";
import type { PermissionName } from "../world/permission.ts";
import type { World } from "../world/world.ts";

/** Where a person is: in a channel or thread, else in its DM with a bot, which may be left out where there is only one. */
export interface Place {
  readonly userId: string;
  readonly channelId?: string;
  readonly botId?: string;
}

export const placeFields: {
  readonly userId: z.ZodString;
  readonly channelId: z.ZodExactOptional<z.ZodString>;
  readonly botId: z.ZodExactOptional<z.ZodString>;
} = { userId: z.string(), channelId: z.string().exactOptional(), botId: z.string().exactOptional() };

/** Opens the DM where there is none. */
export function resolvePlace(world: World, { userId, channelId, botId }: Place): Channel {
  if (channelId !== undefined) return world.getChannel(channelId);
  return world.openDm(world.bots.get(botId).id, world.getPerson(userId).profile.id);
}

/** Throws where the person is not there or may not do so: a test's mistake, which a bot never sees. */
export function requirePersonRight(world: World, userId: string, channel: Channel, name: PermissionName): void {
  const hasRight = (world.readPermissions(userId, channel) & PermissionFlagsBits[name]) !== 0n;
  if (!channel.isDeleted && hasRight && world.canSee(userId, channel)) return;
  const why = channel.isDeleted ? "it is deleted" : `the person is no member, or lacks ${name}; see guild.joins()`;
  throw new EmulatorError("forbidden", `acting as user ${userId} in channel ${channel.id}: ${why}`);
}
