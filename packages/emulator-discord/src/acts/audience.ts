/** Who is told of what happens: bots that may see it, by the sessions that asked for it. */
import { type APIMessage, GatewayIntentBits } from "discord-api-types/v10";
import { buildMessageMember } from "../wire/member-wire.ts";
import type { Bot } from "../world/bot.ts";
import type { Channel } from "../world/channel.ts";
import type { Guild } from "../world/guild.ts";
import type { World } from "../world/world.ts";

/** An event of the gateway; `intent` 0 is for those that every session gets. */
export interface News {
  readonly type: string;
  readonly data: object;
  readonly intent: number;
}

export function tellBot(world: World, bot: Bot, { type, data, intent }: News): void {
  if (bot.sessions.size === 0) return;
  bot.dropLostSessions(world.clock.nowMs());
  let text: string | undefined;
  for (const session of bot.sessions.values()) {
    if (!session.wants(intent)) continue;
    text ??= JSON.stringify(data);
    session.dispatch(type, text);
  }
}

export function tellGuild(world: World, guild: Guild, news: News): void {
  if (guild.isUnavailable) return;
  for (const bot of listGuildBots(world, guild)) tellBot(world, bot, news);
}

/** Tells the bots that may see the channel. */
export function tellChannel(world: World, channel: Channel, news: News): void {
  for (const bot of listViewers(world, channel)) tellBot(world, bot, news);
}

/** MESSAGE_CREATE and MESSAGE_UPDATE: what a session may not read is blank (D43). */
export function tellMessage(world: World, channel: Channel, type: string, message: APIMessage): void {
  const intent = channel.dm === undefined ? GatewayIntentBits.GuildMessages : GatewayIntentBits.DirectMessages;
  let full: string | undefined;
  let blank: string | undefined;
  for (const bot of listViewers(world, channel)) {
    bot.dropLostSessions(world.clock.nowMs());
    for (const session of bot.sessions.values()) {
      if (!session.wants(intent)) continue;
      const mayRead = bot.messageContent && session.wants(GatewayIntentBits.MessageContent);
      if (mayRead || concerns(bot, channel, message)) {
        full ??= JSON.stringify(buildEvent(world, channel, message));
        session.dispatch(type, full);
      } else {
        blank ??= JSON.stringify({ ...buildEvent(world, channel, message), ...BLANK });
        session.dispatch(type, blank);
      }
    }
  }
}

const BLANK = { content: "", embeds: [], attachments: [], components: [] } as const;

/** Whether the message is the bot's own, to it in private, or mentions it. */
function concerns(bot: Bot, channel: Channel, { author, mentions }: APIMessage): boolean {
  return channel.dm !== undefined || author.id === bot.id || mentions.some(({ id }) => id === bot.id);
}

/** A message as an event carries it: with its guild, and who wrote it as a member. */
function buildEvent(world: World, channel: Channel, message: APIMessage): object {
  // Undocumented, and what discord.js knows a DM by.
  const kind = { channel_type: channel.type };
  if (channel.guildId === undefined) return { ...message, ...kind };
  const guild = world.guilds.get(channel.guildId);
  const member = message.webhook_id === undefined ? guild?.members.get(message.author.id) : undefined;
  const mentions = message.mentions.map((user) => {
    const mentioned = guild?.members.get(user.id);
    return mentioned === undefined ? user : { ...user, member: buildMessageMember(mentioned) };
  });
  return {
    ...message,
    ...kind,
    guild_id: channel.guildId,
    ...(member !== undefined && { member: buildMessageMember(member) }),
    mentions,
  };
}

function listViewers(world: World, channel: Channel): Bot[] {
  if (channel.dm !== undefined) return [world.bots.get(channel.dm.botId)];
  const guild = world.guilds.get(channel.guildId ?? "");
  if (guild === undefined || guild.isUnavailable) return [];
  return listGuildBots(world, guild).filter(({ id }) => world.canSee(id, channel));
}

function listGuildBots(world: World, guild: Guild): Bot[] {
  return [...guild.botIds].map((id) => world.bots.find(id)).filter((bot) => bot !== undefined);
}
