import { z } from "zod";
import { createRole, expelBot, foundGuild, inviteBot, joinGuild, leaveGuild, setOutage } from "../acts/found-guild.ts";
import type { Guild } from "../world/guild.ts";
import { BOT_NAMES, buildPermissions, parsePermissions } from "../world/permission.ts";
import type { World } from "../world/world.ts";
import { nothing } from "./answer.ts";
import { buildChannelState, type ChannelState, channelStateSchema } from "./channel-state.ts";
import type { Operation } from "./operation.ts";

export interface GuildSpec {
  readonly name: string;
  /** A stranger if left out. */
  readonly ownerId?: string;
  readonly memberIds: readonly string[];
  readonly botIds: readonly string[];
}

export interface GuildState {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly memberIds: readonly string[];
  readonly botIds: readonly string[];
  readonly isUnavailable: boolean;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  /** Without deleted ones; threads too. */
  readonly channels: readonly ChannelState[];
}

export interface RoleSpec {
  readonly guildId: string;
  readonly name: string;
  /** Names of PermissionFlagsBits. */
  readonly permissions: readonly string[];
  readonly isMentionable: boolean;
}

export interface MemberChange {
  readonly guildId: string;
  /** A person or a bot; a bot's coming and going is GUILD_CREATE and GUILD_DELETE to it. */
  readonly userId: string;
  readonly action: "join" | "leave";
  readonly roleIds: readonly string[];
  /** Of a bot that joins; what an invitation usually asks for if left out. */
  readonly permissions?: readonly string[];
}

const guildState: z.ZodType<GuildState> = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  memberIds: z.array(z.string()),
  botIds: z.array(z.string()),
  isUnavailable: z.boolean(),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  channels: z.array(channelStateSchema),
});

export const createGuild: Operation<GuildSpec, GuildState> = {
  name: "createGuild",
  request: z.strictObject({
    name: z.string().min(1),
    ownerId: z.string().exactOptional(),
    memberIds: z.array(z.string()),
    botIds: z.array(z.string()),
  }),
  answer: guildState,
  run: ({ world }, { name, ownerId: named, memberIds, botIds }) => {
    const ownerId = named ?? world.nextId();
    if (named === undefined) world.addPerson({ id: ownerId, username: "owner" });
    for (const id of [...memberIds, ...(world.bots.find(ownerId) === undefined ? [ownerId] : [])]) world.getPerson(id);
    const bots = botIds.map((id) => world.bots.get(id));
    return buildGuildState(world, foundGuild(world, { name, ownerId, memberIds, bots }));
  },
};

export const readGuilds: Operation<{ readonly guildId?: string }, readonly GuildState[]> = {
  name: "readGuilds",
  request: z.strictObject({ guildId: z.string().exactOptional() }),
  answer: z.array(guildState),
  run: ({ world }, { guildId }) => {
    const guilds = guildId === undefined ? [...world.guilds.values()] : [world.getGuild(guildId)];
    return guilds.map((guild) => buildGuildState(world, guild));
  },
};

export const addRole: Operation<RoleSpec, string> = {
  name: "addRole",
  request: z.strictObject({
    guildId: z.string(),
    name: z.string().min(1),
    permissions: z.array(z.string()),
    isMentionable: z.boolean(),
  }),
  answer: z.string(),
  run: ({ world }, { guildId, name, permissions, isMentionable }) => {
    const guild = world.getGuild(guildId);
    const id = world.nextId();
    const role = { id, name, isMentionable, permissions: parsePermissions(permissions) };
    createRole(world, guild, { ...role, position: guild.roles.size });
    return id;
  },
};

export const changeMember: Operation<MemberChange, void> = {
  name: "changeMember",
  request: z.strictObject({
    guildId: z.string(),
    userId: z.string(),
    action: z.enum(["join", "leave"]),
    roleIds: z.array(z.string()),
    permissions: z.array(z.string()).exactOptional(),
  }),
  answer: nothing,
  run: ({ world }, { guildId, userId, action, roleIds, permissions }) => {
    const guild = world.getGuild(guildId);
    const bot = world.bots.find(userId);
    if (bot === undefined) {
      const { id } = world.getPerson(userId).profile;
      if (action === "join") joinGuild(world, guild, id, roleIds);
      else leaveGuild(world, guild, id);
    } else if (action === "leave") expelBot(world, guild, bot);
    else if (guild.botIds.has(bot.id)) joinGuild(world, guild, bot.id, roleIds);
    else inviteBot(world, guild, bot, permissions ? parsePermissions(permissions) : buildPermissions(BOT_NAMES));
  },
};

export const setGuildOutage: Operation<{ readonly guildId: string; readonly isOn: boolean }, void> = {
  name: "setGuildOutage",
  request: z.strictObject({ guildId: z.string(), isOn: z.boolean() }),
  answer: nothing,
  run: ({ world }, { guildId, isOn }) => setOutage(world, world.getGuild(guildId), isOn),
};

export interface GuildRules {
  readonly guildId: string;
  /** Words that AutoMod lets no bot write, in place of those before (D32). */
  readonly blockedWords?: readonly string[];
  /** How many threads may be active at once (D25). */
  readonly activeThreads?: number;
}

export const setRules: Operation<GuildRules, void> = {
  name: "setRules",
  request: z.strictObject({
    guildId: z.string(),
    blockedWords: z.array(z.string().min(1)).exactOptional(),
    activeThreads: z.int().min(0).exactOptional(),
  }),
  answer: nothing,
  run: ({ world }, { guildId, blockedWords, activeThreads }) => {
    const guild = world.getGuild(guildId);
    guild.activeThreadLimit = activeThreads ?? guild.activeThreadLimit;
    if (blockedWords === undefined) return;
    guild.blockedWords.clear();
    for (const word of blockedWords) guild.blockedWords.add(word.toLowerCase());
  },
};

function buildGuildState(world: World, guild: Guild): GuildState {
  return {
    id: guild.id,
    name: guild.name,
    ownerId: guild.ownerId,
    memberIds: [...guild.members.keys()],
    botIds: [...guild.botIds],
    isUnavailable: guild.isUnavailable,
    roles: [...guild.roles.values()].map(({ id, name }) => ({ id, name })),
    channels: [...guild.channels.values()].map((channel) => buildChannelState(world, channel)),
  };
}
