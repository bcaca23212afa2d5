import type { APIAllowedMentions, APIUser } from "discord-api-types/v10";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";

export interface Mentions {
  readonly users: readonly APIUser[];
  readonly roleIds: readonly string[];
  readonly isEveryone: boolean;
}

export interface MentionSource {
  readonly channel: Channel;
  readonly content: string;
  /** As sent; undefined lets everything through, as Discord does. */
  readonly allowed: APIAllowedMentions | undefined;
  /** Whose message it answers. */
  readonly repliedTo?: APIUser;
  readonly mayMentionEveryone: boolean;
}

/** Discord reads no mentions in code. */
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

/** Whom a message pings: what stands in the text and is allowed (D60), and the author it replies to. */
export function findMentions(world: World, source: MentionSource): Mentions {
  const { channel, allowed, repliedTo } = source;
  const isPinging = repliedTo !== undefined && (allowed === undefined || allowed.replied_user === true);
  if (!source.content.includes("@")) {
    return { users: isPinging ? [repliedTo] : [], roleIds: [], isEveryone: false };
  }
  const text = source.content.replaceAll(CODE, "");
  const userIds = allow(
    [...text.matchAll(/<@!?(\d+)>/g)].map(([, id = ""]) => id),
    allowed,
    "users",
  );
  const roleIds = allow(
    [...text.matchAll(/<@&(\d+)>/g)].map(([, id = ""]) => id),
    allowed,
    "roles",
  );
  const users = [...new Set([...(isPinging ? [repliedTo.id] : []), ...userIds])].map((id) => world.findUser(id));
  const guild = world.guilds.get(channel.guildId ?? "");
  const mayEveryone = allowed?.parse === undefined || allowed.parse.some((kind) => kind === "everyone");
  return {
    users: users.filter((user) => user !== undefined),
    roleIds: [...new Set(roleIds)].filter((id) => guild?.roles.has(id) === true),
    isEveryone: source.mayMentionEveryone && mayEveryone && /@(everyone|here)\b/.test(text),
  };
}

function allow(
  ids: readonly string[],
  allowed: APIAllowedMentions | undefined,
  kind: "users" | "roles",
): readonly string[] {
  if (allowed === undefined || allowed.parse?.some((parsed) => parsed === kind) === true) return ids;
  return ids.filter((id) => allowed[kind]?.includes(id) === true);
}
