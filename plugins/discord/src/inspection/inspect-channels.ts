/** Whether the bot may do what it needs in the channels that the configuration names. */
import type { AccountFinding, InspectContext } from "@banyan/plugin-sdk";
import type { DiscordConfig } from "../discord-config.ts";
import type { DiscordIdentity } from "../discord-identity.ts";
import { buildInviteLink, NEEDED } from "../invite-link.ts";
import { FORUM_TYPES } from "../places/channel-record.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import {
  computePermissions,
  listLacking,
  type PermissionFacts,
  type PermissionName,
  parseChannelRules,
  parseGuildRoles,
  parseMemberRoles,
} from "./permission.ts";

/** Each costs a call or two. */
const MOST_CHANNELS = 50;
/** A bot without it still works: what it opened it may archive itself. */
const OPTIONAL: ReadonlySet<PermissionName> = new Set(["Manage Threads"]);

type Guild = Pick<PermissionFacts, "guild" | "member">;

export async function inspectChannels(
  api: DiscordApi,
  identity: DiscordIdentity,
  { groups, config }: Pick<InspectContext<DiscordConfig>, "groups" | "config">,
): Promise<readonly AccountFinding[]> {
  if (groups.policy === "disabled") return [];
  const guilds = new Map<string, Guild | undefined>();
  const findings: AccountFinding[] = [];
  for (const guildId of groups.guilds) {
    const guild = await readGuild(api, guildId, identity.botId, guilds);
    findings.push(guild === undefined ? describeAbsent(`server ${guildId}`, identity, config) : describeGuild(guild));
  }
  for (const channelId of groups.allow.slice(0, MOST_CHANNELS))
    findings.push(await inspectChannel(api, identity, channelId, config, guilds));
  return findings;
}

async function inspectChannel(
  api: DiscordApi,
  identity: DiscordIdentity,
  channelId: string,
  config: DiscordConfig,
  guilds: Map<string, Guild | undefined>,
): Promise<AccountFinding> {
  const attempt = `Looking at Discord channel ${channelId}`;
  const channel = parseChannelRules(await api.find({ method: "get", route: `/channels/${channelId}`, attempt }));
  const guild = channel && (await readGuild(api, channel.guild_id, identity.botId, guilds));
  if (channel === undefined || guild === undefined) return describeAbsent(`channel ${channelId}`, identity, config);
  const held = computePermissions({ ...guild, botId: identity.botId, channel });
  const needed = NEEDED.map((name) =>
    name === "Create Public Threads" && config.threadType === "private" ? "Create Private Threads" : name,
  );
  const asked = FORUM_TYPES.has(channel.type) ? needed.filter((name) => !/Create P/.test(name)) : needed;
  const lacking = listLacking(held, asked);
  const name = `#${channel.name ?? channelId}`;
  if (lacking.length === 0) return { level: "note", text: `${name}: it may do all that it needs` };
  const isServing = lacking.every((one) => OPTIONAL.has(one));
  const text = `${name}: the bot lacks ${lacking.join(", ")}`;
  if (isServing) return { level: "note", text: `${text}, so it archives a thread instead of deleting one` };
  return {
    level: "error",
    text,
    cure: `give it in the channel's settings, or invite it again with ${buildInviteLink(identity.applicationId, config)}`,
  };
}

async function readGuild(
  api: DiscordApi,
  guildId: string,
  botId: string,
  guilds: Map<string, Guild | undefined>,
): Promise<Guild | undefined> {
  if (guilds.has(guildId)) return guilds.get(guildId);
  const attempt = `Looking at Discord server ${guildId}`;
  const [guild, member] = await Promise.all([
    api.find({ method: "get", route: `/guilds/${guildId}`, attempt }),
    api.find({ method: "get", route: `/guilds/${guildId}/members/${botId}`, attempt }),
  ]);
  const read = { guild: parseGuildRoles(guild), member: parseMemberRoles(member) };
  const found = read.guild && read.member && { guild: read.guild, member: read.member };
  guilds.set(guildId, found);
  return found;
}

function describeGuild({ guild }: Guild): AccountFinding {
  return { level: "note", text: `it is in the server ${guild.name || guild.id}` };
}

function describeAbsent(what: string, { applicationId }: DiscordIdentity, config: DiscordConfig): AccountFinding {
  const cure = `check the id, or invite the bot with ${buildInviteLink(applicationId, config)}`;
  return { level: "error", text: `the bot does not see the ${what}`, cure };
}
