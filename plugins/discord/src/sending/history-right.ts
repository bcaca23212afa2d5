/** Discord shows whoever may not read a channel's history an empty one, and says nothing of it. */
import {
  computePermissions,
  listLacking,
  parseChannelRules,
  parseGuildRoles,
  parseMemberRoles,
} from "../inspection/permission.ts";
import type { AddressedPlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";

/** Whether what was said there can be read back; also where Discord does not tell what the bot may do. */
export async function mayReadHistory(
  { parentId, isDm }: Pick<AddressedPlace, "parentId" | "isDm">,
  { api, botId }: { readonly api: DiscordApi; readonly botId: string },
): Promise<boolean> {
  if (isDm) return true;
  const attempt = `Looking at what the bot may do in Discord channel ${parentId}`;
  // A thread has the rules of its channel.
  const channel = parseChannelRules(await api.look({ method: "get", route: `/channels/${parentId}`, attempt }));
  if (channel === undefined) return true;
  const route = `/guilds/${channel.guild_id}` as const;
  const [guild, member] = await Promise.all([
    api.look({ method: "get", route, attempt }).then(parseGuildRoles),
    api.look({ method: "get", route: `${route}/members/${botId}`, attempt }).then(parseMemberRoles),
  ]);
  if (guild === undefined || member === undefined) return true;
  return listLacking(computePermissions({ botId, guild, member, channel }), ["Read Message History"]).length === 0;
}
