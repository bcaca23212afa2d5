import type { APIGuildMember, APIRole } from "discord-api-types/v10";
import type { Guild, Member } from "../world/guild.ts";
import type { Role } from "../world/permission.ts";
import { NO_FLAGS } from "../world/user.ts";
import type { World } from "../world/world.ts";

/** A member without its user, as a message carries it. */
export function buildMessageMember({ joinedAtMs, roleIds }: Member): Omit<APIGuildMember, "user"> {
  return {
    avatar: null,
    banner: null,
    communication_disabled_until: null,
    deaf: false,
    flags: NO_FLAGS,
    joined_at: new Date(joinedAtMs).toISOString(),
    mute: false,
    nick: null,
    pending: false,
    premium_since: null,
    roles: [...roleIds],
  };
}

/** Undefined for a user that nobody has registered. */
export function buildMember(world: World, member: Member): APIGuildMember | undefined {
  const user = world.findUser(member.userId);
  return user && { ...buildMessageMember(member), user };
}

export function buildRole(role: Role): APIRole {
  return {
    id: role.id,
    name: role.name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: role.permissions.toString(),
    managed: role.botId !== undefined,
    mentionable: role.isMentionable,
    flags: NO_FLAGS,
    ...(role.botId !== undefined && { tags: { bot_id: role.botId } }),
  };
}

export function listMembers(world: World, guild: Guild): APIGuildMember[] {
  return [...guild.members.values()].map((member) => buildMember(world, member)).filter((built) => built !== undefined);
}
