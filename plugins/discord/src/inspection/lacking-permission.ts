import type { AddressedPlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import {
  computePermissions,
  listLacking,
  type PermissionName,
  parseChannelRules,
  parseGuildRoles,
  parseMemberRoles,
} from "./permission.ts";

/** Of these permissions the ones that the bot lacks there; `undefined` where Discord does not tell. */
export async function findLacking(
  names: readonly PermissionName[],
  { parentId }: Pick<AddressedPlace, "parentId">,
  { api, botId }: { readonly api: DiscordApi; readonly botId: string },
): Promise<readonly PermissionName[] | undefined> {
  const attempt = `Looking at what the bot may do in Discord channel ${parentId}`;
  // A thread has the rules of its channel.
  const channel = parseChannelRules(await api.look({ method: "get", route: `/channels/${parentId}`, attempt }));
  if (channel === undefined) return undefined;
  const route = `/guilds/${channel.guild_id}` as const;
  const [guild, member] = await Promise.all([
    api.look({ method: "get", route, attempt }).then(parseGuildRoles),
    api.look({ method: "get", route: `${route}/members/${botId}`, attempt }).then(parseMemberRoles),
  ]);
  if (guild === undefined || member === undefined) return undefined;
  return listLacking(computePermissions({ botId, guild, member, channel }), names);
}
