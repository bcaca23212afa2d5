import { PermissionFlagsBits } from "discord-api-types/v10";
import { EmulatorError } from "../ports/error.ts";

export type PermissionName = keyof typeof PermissionFlagsBits;

export interface Overwrite {
  readonly id: string;
  readonly kind: "role" | "member";
  readonly allow: bigint;
  readonly deny: bigint;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly permissions: bigint;
  /** The bot whose own role it is. */
  readonly botId?: string;
  /** Whether anybody may mention it. */
  readonly isMentionable: boolean;
}

const EVERYTHING = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

/** What @everyone may do in a new guild, as the clients set it up. */
export const EVERYONE_NAMES: readonly PermissionName[] = [
  "ViewChannel",
  "SendMessages",
  "SendMessagesInThreads",
  "CreatePublicThreads",
  "CreatePrivateThreads",
  "EmbedLinks",
  "AttachFiles",
  "AddReactions",
  "UseExternalEmojis",
  "ReadMessageHistory",
  "UseApplicationCommands",
  "ChangeNickname",
  "CreateInstantInvite",
  "Connect",
  "Speak",
];

/** What the invitation of a bot asks for beyond @everyone, unless a test says otherwise. */
export const BOT_NAMES: readonly PermissionName[] = ["ManageThreads", "ManageMessages", "ManageWebhooks"];

export function buildPermissions(names: readonly PermissionName[]): bigint {
  return names.reduce((all, name) => all | PermissionFlagsBits[name], 0n);
}

function isPermissionName(name: string): name is PermissionName {
  return Object.hasOwn(PermissionFlagsBits, name);
}

/** Names as a test writes them; an unknown one is its mistake. */
export function parsePermissions(names: readonly string[]): bigint {
  const unknown = names.filter((name) => !isPermissionName(name));
  if (unknown.length === 0) return buildPermissions(names.filter(isPermissionName));
  const text = `reading permissions: ${unknown.join(", ")} are none; names are those of PermissionFlagsBits`;
  throw new EmulatorError("invalid_request", text);
}

export interface PermissionParts {
  readonly isOwner: boolean;
  readonly userId: string;
  readonly everyoneId: string;
  readonly roles: readonly Role[];
  readonly everyone: bigint;
  /** Of the channel, or of a thread's parent; none for the guild itself. */
  readonly overwrites: ReadonlyMap<string, Overwrite> | undefined;
}

/** The order of Discord's documentation ("Permissions"): roles, then overwrites of everyone, roles, member. */
export function computePermissions(parts: PermissionParts): bigint {
  const { isOwner, userId, everyoneId, roles, overwrites } = parts;
  if (isOwner) return EVERYTHING;
  const base = roles.reduce((all, { permissions }) => all | permissions, parts.everyone);
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return EVERYTHING;
  if (overwrites === undefined || overwrites.size === 0) return base;
  let permissions = applyOverwrite(base, overwrites.get(everyoneId));
  let allow = 0n;
  let deny = 0n;
  for (const { id } of roles) {
    const overwrite = overwrites.get(id);
    allow |= overwrite?.allow ?? 0n;
    deny |= overwrite?.deny ?? 0n;
  }
  permissions = (permissions & ~deny) | allow;
  return applyOverwrite(permissions, overwrites.get(userId));
}

function applyOverwrite(permissions: bigint, overwrite: Overwrite | undefined): bigint {
  return overwrite === undefined ? permissions : (permissions & ~overwrite.deny) | overwrite.allow;
}
