import { ChannelType } from "discord-api-types/v10";
import { joinThread, leaveThread } from "../acts/change-thread.ts";
import { compareSnowflakes } from "../ports/snowflake.ts";
import { getChannel, getThread, isAllowed, requirePermission } from "../rest/access.ts";
import { type Answer, accept, type BotRoute, type Call, NOTHING, readInteger } from "../rest/call.ts";
import { refuse } from "../rest/refusal.ts";
import { buildThread, buildThreadMember } from "../wire/channel-wire.ts";

/** D26. */
const MEMBER_LIMIT = 1000;

function addMember(call: Call): Answer {
  const channel = getChannel(call);
  const thread = getThread(channel);
  const userId = call.path.user ?? call.bot.id;
  if (thread.isArchived) throw refuse(50083);
  if (call.path.user !== undefined) requirePermission(call, channel, "SendMessagesInThreads");
  if (call.world.findUser(userId) === undefined) throw refuse(10013);
  if (!call.world.guilds.get(channel.guildId ?? "")?.members.has(userId)) throw refuse(50001);
  if (!thread.memberIds.has(userId) && thread.memberIds.size >= MEMBER_LIMIT) throw refuse(30033);
  joinThread(call.world, channel, userId);
  return NOTHING;
}

function removeMember(call: Call): Answer {
  const channel = getChannel(call);
  const thread = getThread(channel);
  const userId = call.path.user ?? call.bot.id;
  if (thread.isArchived) throw refuse(50083);
  const isOwnPrivate = channel.type === ChannelType.PrivateThread && thread.ownerId === call.bot.id;
  if (userId !== call.bot.id && !isOwnPrivate) requirePermission(call, channel, "ManageThreads");
  leaveThread(call.world, channel, userId);
  return NOTHING;
}

function readMember(call: Call): Answer {
  const channel = getChannel(call);
  const userId = call.path.user === "@me" ? call.bot.id : (call.path.user ?? "");
  const joinedAtMs = getThread(channel).memberIds.get(userId);
  if (joinedAtMs === undefined) throw refuse(10007);
  return accept(buildThreadMember(channel.id, userId, joinedAtMs));
}

function listMembers(call: Call): Answer {
  const channel = getChannel(call);
  const members = [...getThread(channel).memberIds].map(([id, atMs]) => buildThreadMember(channel.id, id, atMs));
  return accept(members);
}

/** Newest first: archived ones of a kind below a channel (List Public and Private Archived Threads). */
function listArchived(call: Call, isPrivate: boolean): Answer {
  const parent = getChannel(call);
  requirePermission(call, parent, "ReadMessageHistory");
  if (isPrivate && !isAllowed(call, parent, "ManageThreads")) throw refuse(50013);
  const limit = readInteger(call.query, "limit", 1, 100, 50);
  const before = call.query.get("before");
  const beforeMs = before === null ? Number.POSITIVE_INFINITY : Date.parse(before);
  const archived = listArchivedBelow(call, parent)
    .filter((channel) => (channel.type === ChannelType.PrivateThread) === isPrivate)
    .filter((channel) => (channel.thread?.archiveChangedAtMs ?? 0) < beforeMs)
    .sort((a, b) => compareArchived(b, a));
  return acceptPage(call, archived, limit);
}

/** The youngest first: archived private ones that the bot is in (List Joined Private Archived Threads). */
function listJoined(call: Call): Answer {
  const parent = getChannel(call);
  requirePermission(call, parent, "ReadMessageHistory");
  const limit = readInteger(call.query, "limit", 1, 100, 50);
  const before = call.query.get("before");
  const joined = listArchivedBelow(call, parent)
    .filter((channel) => channel.type === ChannelType.PrivateThread && channel.thread?.memberIds.has(call.bot.id))
    .filter(({ id }) => before === null || compareSnowflakes(id, before) < 0)
    .sort((a, b) => compareSnowflakes(b.id, a.id));
  return acceptPage(call, joined, limit);
}

function listArchivedBelow(call: Call, parent: Archived): readonly Archived[] {
  const channels = [...(call.world.guilds.get(parent.guildId ?? "")?.channels.values() ?? [])];
  return channels.filter((channel) => channel.parentId === parent.id && channel.thread?.isArchived === true);
}

function acceptPage(call: Call, archived: readonly Archived[], limit: number): Answer {
  const page = archived.slice(0, limit);
  return accept({
    threads: page.map((channel) => channel.thread && buildThread(channel, channel.thread)),
    members: page.flatMap((channel) => {
      const joinedAtMs = channel.thread?.memberIds.get(call.bot.id);
      return joinedAtMs === undefined ? [] : [buildThreadMember(channel.id, call.bot.id, joinedAtMs)];
    }),
    has_more: archived.length > limit,
  });
}

type Archived = ReturnType<typeof getChannel>;

function compareArchived(a: Archived, b: Archived): number {
  const difference = (a.thread?.archiveChangedAtMs ?? 0) - (b.thread?.archiveChangedAtMs ?? 0);
  return difference === 0 ? compareSnowflakes(a.id, b.id) : difference;
}

export const threadMemberRoutes: readonly BotRoute[] = [
  { template: "PUT /channels/:channel/thread-members/@me", run: addMember },
  { template: "PUT /channels/:channel/thread-members/:user", run: addMember },
  { template: "DELETE /channels/:channel/thread-members/@me", run: removeMember },
  { template: "DELETE /channels/:channel/thread-members/:user", run: removeMember },
  { template: "GET /channels/:channel/thread-members/:user", run: readMember },
  { template: "GET /channels/:channel/thread-members", run: listMembers },
  { template: "GET /channels/:channel/threads/archived/public", run: (call) => listArchived(call, false) },
  { template: "GET /channels/:channel/threads/archived/private", run: (call) => listArchived(call, true) },
  { template: "GET /channels/:channel/users/@me/threads/archived/private", run: listJoined },
];
