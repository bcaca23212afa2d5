import { expelBot } from "../acts/found-guild.ts";
import { getGuild } from "../rest/access.ts";
import { type Answer, accept, type BotRoute, type Call, NOTHING, readInteger } from "../rest/call.ts";
import { refuse } from "../rest/refusal.ts";
import { buildChannel, buildThread, buildThreadMember } from "../wire/channel-wire.ts";
import { buildGuild } from "../wire/guild-wire.ts";
import { buildMember, buildRole, listMembers } from "../wire/member-wire.ts";

function readGuild(call: Call): Answer {
  const guild = getGuild(call);
  const counts = { approximate_member_count: guild.members.size, approximate_presence_count: guild.members.size };
  return accept({ ...buildGuild(guild), ...(call.query.get("with_counts") === "true" && counts) });
}

function listChannels(call: Call): Answer {
  const visible = [...getGuild(call).channels.values()].filter((channel) => call.world.canSee(call.bot.id, channel));
  return accept(
    visible.filter(({ thread }) => thread === undefined).map((channel) => buildChannel(call.world, channel)),
  );
}

function readMember(call: Call): Answer {
  const guild = getGuild(call);
  const member = guild.members.get(call.path.user ?? "");
  if (member !== undefined) return accept(buildMember(call.world, member));
  throw refuse(call.world.findUser(call.path.user ?? "") === undefined ? 10013 : 10007);
}

function listAllMembers(call: Call): Answer {
  const guild = getGuild(call);
  if (!call.bot.members) throw refuse(50001);
  return accept(listMembers(call.world, guild).slice(0, readInteger(call.query, "limit", 1, 1000, 1)));
}

function listRoles(call: Call): Answer {
  return accept([...getGuild(call).roles.values()].map(buildRole));
}

/** Public ones and those private ones that the bot is in or moderates. */
function listActiveThreads(call: Call): Answer {
  const guild = getGuild(call);
  const threads = [...guild.activeThreadIds]
    .map((id) => guild.channels.get(id))
    .filter((channel) => channel !== undefined)
    .filter((channel) => call.world.canSee(call.bot.id, channel));
  return accept({
    threads: threads.map((channel) => channel.thread && buildThread(channel, channel.thread)),
    members: threads.flatMap((channel) => {
      const joinedAtMs = channel.thread?.memberIds.get(call.bot.id);
      return joinedAtMs === undefined ? [] : [buildThreadMember(channel.id, call.bot.id, joinedAtMs)];
    }),
    has_more: false,
  });
}

function leaveGuild(call: Call): Answer {
  expelBot(call.world, getGuild(call), call.bot);
  return NOTHING;
}

export const guildRoutes: readonly BotRoute[] = [
  { template: "GET /guilds/:guild", run: readGuild },
  { template: "GET /guilds/:guild/channels", run: listChannels },
  { template: "GET /guilds/:guild/members", run: listAllMembers },
  { template: "GET /guilds/:guild/members/:user", run: readMember },
  { template: "GET /guilds/:guild/roles", run: listRoles },
  { template: "GET /guilds/:guild/threads/active", run: listActiveThreads },
  { template: "DELETE /users/@me/guilds/:guild", run: leaveGuild },
];
