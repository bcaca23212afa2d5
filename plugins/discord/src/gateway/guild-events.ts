/** What the gateway tells of guilds, channels and threads, read once at the edge. Unknown forms are left aside. */
import { z } from "zod";
import { type ChannelRecord, parseChannel } from "../places/channel-record.ts";
import { isSnowflake } from "../snowflake.ts";

export interface GuildNews {
  readonly guildId: string;
  readonly channels: readonly ChannelRecord[];
  /** The role that Discord made for the bot. */
  readonly botRoleId?: string;
}

const id = z.string().refine(isSnowflake);
const guildCreate = z.object({
  id,
  unavailable: z.boolean().nullish(),
  channels: z.array(z.unknown()).nullish(),
  threads: z.array(z.unknown()).nullish(),
  roles: z.array(z.unknown()).nullish(),
});
const ready = z.object({ guilds: z.array(z.unknown()) });
const someGuild = z.object({ id });
const botRole = z.object({ id, tags: z.object({ bot_id: id }) });
const guildDelete = z.object({ id, unavailable: z.boolean().nullish() });
const threadList = z.object({ guild_id: id, threads: z.array(z.unknown()) });
const removal = z.object({ id, removed_member_ids: z.array(id).nullish() });

/** The guilds of READY. */
export function listGuildIds(data: unknown): readonly string[] {
  const guilds = ready.safeParse(data).data?.guilds ?? [];
  return guilds.map((guild) => someGuild.safeParse(guild).data?.id).filter((one) => one !== undefined);
}

/** `undefined` also for a guild that is told while Discord has trouble with it: it comes again. */
export function parseGuildCreate(data: unknown, botId: string): GuildNews | undefined {
  const read = guildCreate.safeParse(data).data;
  if (read === undefined || read.unavailable === true) return undefined;
  const channels = [...(read.channels ?? []), ...(read.threads ?? [])]
    .map((one) => parseChannel(one, read.id))
    .filter((one) => one !== undefined);
  const roles = (read.roles ?? []).map((one) => botRole.safeParse(one).data);
  const role = roles.find((one) => one?.tags.bot_id === botId);
  return { guildId: read.id, channels, ...(role !== undefined && { botRoleId: role.id }) };
}

/** `isOutage`: Discord has trouble with the guild, and the bot is still in it. */
export function parseGuildDelete(data: unknown): { readonly guildId: string; readonly isOutage: boolean } | undefined {
  const read = guildDelete.safeParse(data).data;
  return read && { guildId: read.id, isOutage: read.unavailable === true };
}

export function parseThreadList(data: unknown): readonly ChannelRecord[] {
  const read = threadList.safeParse(data).data;
  return (read?.threads ?? []).map((one) => parseChannel(one, read?.guild_id)).filter((one) => one !== undefined);
}

/** The thread that somebody was taken out of, where that is the bot. */
export function parseThreadLoss(data: unknown, botId: string): string | undefined {
  const read = removal.safeParse(data).data;
  return read?.removed_member_ids?.includes(botId) ? read.id : undefined;
}
