import { GatewayIntentBits } from "discord-api-types/v10";
import { buildGuildCreate } from "../wire/guild-wire.ts";
import { buildMember, buildRole } from "../wire/member-wire.ts";
import type { Bot } from "../world/bot.ts";
import { Guild } from "../world/guild.ts";
import { BOT_NAMES, buildPermissions, EVERYONE_NAMES, type Role } from "../world/permission.ts";
import type { World } from "../world/world.ts";
import { tellBot, tellGuild } from "./audience.ts";

export interface NewGuild {
  readonly name: string;
  readonly ownerId: string;
  readonly memberIds: readonly string[];
  readonly bots: readonly Bot[];
}

export function foundGuild(world: World, { name, ownerId, memberIds, bots }: NewGuild): Guild {
  const guild = new Guild(world.nextId(), name, ownerId, buildPermissions(EVERYONE_NAMES));
  world.guilds.set(guild.id, guild);
  for (const userId of new Set([ownerId, ...memberIds])) joinGuild(world, guild, userId, []);
  for (const bot of bots) inviteBot(world, guild, bot, buildPermissions(BOT_NAMES));
  return guild;
}

/** With the roles named, also for somebody who is in it already. */
export function joinGuild(world: World, guild: Guild, userId: string, roleIds: readonly string[]): void {
  const known = guild.members.get(userId);
  if (known !== undefined) {
    known.roleIds = [...new Set([...known.roleIds, ...roleIds])];
    tellMember(world, guild, userId, "GUILD_MEMBER_UPDATE");
    return;
  }
  guild.members.set(userId, { userId, joinedAtMs: world.clock.nowMs(), roleIds });
  tellMember(world, guild, userId, "GUILD_MEMBER_ADD");
}

export function leaveGuild(world: World, guild: Guild, userId: string): void {
  const user = world.findUser(userId);
  if (!guild.members.delete(userId) || user === undefined) return;
  const data = { guild_id: guild.id, user };
  tellGuild(world, guild, { type: "GUILD_MEMBER_REMOVE", data, intent: GatewayIntentBits.GuildMembers });
}

/** A bot comes with a role of its own, whose rights the invitation asked for. */
export function inviteBot(world: World, guild: Guild, bot: Bot, permissions: bigint): void {
  const role = { id: world.nextId(), name: bot.user.username, permissions, botId: bot.id, isMentionable: false };
  createRole(world, guild, { ...role, position: guild.roles.size });
  joinGuild(world, guild, bot.id, [role.id]);
  guild.botIds.add(bot.id);
  bot.guildIds.add(guild.id);
  if (guild.isUnavailable) return;
  const data = buildGuildCreate(world, guild, bot);
  tellBot(world, bot, { type: "GUILD_CREATE", data, intent: GatewayIntentBits.Guilds });
}

/** GUILD_DELETE without `unavailable`: it is removed for good (D20). */
export function expelBot(world: World, guild: Guild, bot: Bot): void {
  if (!guild.botIds.delete(bot.id)) return;
  bot.guildIds.delete(guild.id);
  leaveGuild(world, guild, bot.id);
  for (const role of guild.roles.values()) if (role.botId === bot.id) guild.roles.delete(role.id);
  tellBot(world, bot, { type: "GUILD_DELETE", data: { id: guild.id }, intent: GatewayIntentBits.Guilds });
}

export function createRole(world: World, guild: Guild, role: Role): void {
  guild.roles.set(role.id, role);
  const data = { guild_id: guild.id, role: buildRole(role) };
  tellGuild(world, guild, { type: "GUILD_ROLE_CREATE", data, intent: GatewayIntentBits.Guilds });
}

/** An outage is told as GUILD_DELETE with `unavailable`, its end as GUILD_CREATE (D21). */
export function setOutage(world: World, guild: Guild, isOn: boolean): void {
  if (guild.isUnavailable === isOn) return;
  const data = { id: guild.id, unavailable: true };
  if (isOn) tellGuild(world, guild, { type: "GUILD_DELETE", data, intent: GatewayIntentBits.Guilds });
  guild.isUnavailable = isOn;
  if (isOn) return;
  for (const id of guild.botIds) {
    const bot = world.bots.get(id);
    const back = buildGuildCreate(world, guild, bot);
    tellBot(world, bot, { type: "GUILD_CREATE", data: back, intent: GatewayIntentBits.Guilds });
  }
}

function tellMember(world: World, guild: Guild, userId: string, type: string): void {
  const member = guild.members.get(userId);
  const built = member && buildMember(world, member);
  if (built === undefined) return;
  const news = { type, data: { ...built, guild_id: guild.id } };
  tellGuild(world, guild, { ...news, intent: GatewayIntentBits.GuildMembers });
  // Of its own roles a bot hears without the intent (Gateway, "Guild Member Update").
  const own = guild.botIds.has(userId) && !guild.isUnavailable ? world.bots.find(userId) : undefined;
  for (const session of own?.sessions.values() ?? []) {
    if (!session.wants(GatewayIntentBits.GuildMembers)) session.dispatch(type, JSON.stringify(news.data));
  }
}
