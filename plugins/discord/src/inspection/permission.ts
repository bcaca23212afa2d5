/** What the bot may do in a channel. Pure. Discord documentation, "Permissions": the bits, and how overwrites add up. */
import { z } from "zod";
import { isSnowflake } from "../snowflake.ts";

/** The permissions that the channel asks for, as Discord's settings name them. */
export type PermissionName =
  | "View Channel"
  | "Send Messages"
  | "Embed Links"
  | "Attach Files"
  | "Read Message History"
  | "Manage Threads"
  | "Create Public Threads"
  | "Create Private Threads"
  | "Send Messages in Threads";

const PERMISSIONS: Readonly<Record<PermissionName, bigint>> = {
  "View Channel": 1n << 10n,
  "Send Messages": 1n << 11n,
  "Embed Links": 1n << 14n,
  "Attach Files": 1n << 15n,
  "Read Message History": 1n << 16n,
  "Manage Threads": 1n << 34n,
  "Create Public Threads": 1n << 35n,
  "Create Private Threads": 1n << 36n,
  "Send Messages in Threads": 1n << 38n,
};

const ADMINISTRATOR = 1n << 3n;
const ALL = ~0n;

const id = z.string().refine(isSnowflake);
const bits = z.string().regex(/^\d{1,30}$/);
const overwrite = z.object({ id, type: z.number(), allow: bits, deny: bits });

const guildAnswer = z.object({
  id,
  name: z.string().default(""),
  owner_id: id.nullish(),
  roles: z.array(z.object({ id, permissions: bits })),
});
const memberAnswer = z.object({ roles: z.array(id) });
const channelAnswer = z.object({
  id,
  name: z.string().nullish(),
  guild_id: id,
  type: z.number().int(),
  permission_overwrites: z.array(overwrite).default([]),
});

interface Overwrite {
  readonly id: string;
  readonly allow: string;
  readonly deny: string;
}

/** A server, as far as its roles go. */
export interface GuildRoles {
  readonly id: string;
  readonly name: string;
  readonly owner_id?: string | null | undefined;
  readonly roles: readonly { readonly id: string; readonly permissions: string }[];
}

export interface ChannelRules {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly guild_id: string;
  readonly type: number;
  readonly permission_overwrites: readonly Overwrite[];
}

export interface PermissionFacts {
  readonly botId: string;
  readonly guild: GuildRoles;
  /** The bot's own, in that server. */
  readonly member: { readonly roles: readonly string[] };
  readonly channel: Pick<ChannelRules, "permission_overwrites">;
}

export function parseGuildRoles(answer: unknown): GuildRoles | undefined {
  return guildAnswer.safeParse(answer).data;
}

export function parseMemberRoles(answer: unknown): PermissionFacts["member"] | undefined {
  return memberAnswer.safeParse(answer).data;
}

export function parseChannelRules(answer: unknown): ChannelRules | undefined {
  return channelAnswer.safeParse(answer).data;
}

/** The bits of all that the bot may do there. */
export function computePermissions({ botId, guild, member, channel }: PermissionFacts): bigint {
  if (guild.owner_id === botId) return ALL;
  // Everybody has the role that is named like the server.
  const held = new Set([guild.id, ...member.roles]);
  const base = guild.roles
    .filter((role) => held.has(role.id))
    .reduce((sum, role) => sum | BigInt(role.permissions), 0n);
  if ((base & ADMINISTRATOR) !== 0n) return ALL;
  const overwrites = channel.permission_overwrites;
  const everyone = overwrites.filter((one) => one.id === guild.id);
  const roles = overwrites.filter((one) => one.id !== guild.id && member.roles.includes(one.id));
  const own = overwrites.filter((one) => one.id === botId);
  return [everyone, roles, own].reduce(apply, base);
}

/** Of those that are asked for, the ones that the bot lacks. */
export function listLacking(held: bigint, names: readonly PermissionName[]): readonly PermissionName[] {
  return names.filter((name) => (held & PERMISSIONS[name]) === 0n);
}

/** What an invitation asks for, as its number. */
export function sumPermissions(names: readonly PermissionName[]): bigint {
  return names.reduce((sum, name) => sum | PERMISSIONS[name], 0n);
}

function apply(before: bigint, level: readonly Overwrite[]): bigint {
  const deny = level.reduce((sum, one) => sum | BigInt(one.deny), 0n);
  const allow = level.reduce((sum, one) => sum | BigInt(one.allow), 0n);
  return (before & ~deny) | allow;
}
