import { type APIMessage, ChannelType, ThreadAutoArchiveDuration } from "discord-api-types/v10";
import { type NewThread, openThread } from "../acts/open-thread.ts";
import { postMessage } from "../acts/post-message.ts";
import {
  getChannel,
  getMessage,
  isAllowed,
  requireClean,
  requirePermission,
  requireThreadParent,
} from "../rest/access.ts";
import { type Answer, accept, type BotRoute, type Call, parseBody } from "../rest/call.ts";
import { refuse } from "../rest/refusal.ts";
import { forumPostSchema, type StarterThreadBody, threadSchema } from "../rest/thread-body.ts";
import { buildThreadFor, type WireChannel } from "../wire/channel-wire.ts";
import type { Channel } from "../world/channel.ts";
import { isWritten } from "../world/message-log.ts";
import { buildDraft } from "./message-draft.ts";

/** The thread's id is the message's, so there is one at most (D24). */
function createFromMessage(call: Call): Answer {
  const parent = getChannel(call);
  const message = getMessage(parent, call.path.message);
  const body = parseBody(call, threadSchema);
  requireThreadParent(parent);
  if (parent.isForum) throw refuse(50024);
  if (!isWritten(message)) throw refuse(50021);
  requirePermission(call, parent, "CreatePublicThreads");
  if (call.world.findChannel(message.id) !== undefined) throw refuse(160004);
  requireRoom(call, parent, body.name);
  return acceptThread(call, openThread(call.world, { ...buildInit(call, parent, body), starterId: message.id }));
}

function createThread(call: Call): Answer {
  const parent = getChannel(call);
  requireThreadParent(parent);
  if (parent.isForum) return createPost(call, parent);
  const body = parseBody(call, threadSchema);
  // A private thread is what the call opens where no type is named (Start Thread without Message).
  const type = body.type ?? (parent.type === ChannelType.GuildAnnouncement ? 10 : 12);
  if ((type === 10) !== (parent.type === ChannelType.GuildAnnouncement)) throw refuse(50024);
  requirePermission(call, parent, type === 12 ? "CreatePrivateThreads" : "CreatePublicThreads");
  requireRoom(call, parent, body.name);
  const init = { ...buildInit(call, parent, body), isPrivate: type === 12, isInvitable: body.invitable ?? true };
  return acceptThread(call, openThread(call.world, init));
}

/** A thread of a forum with its first message, which has the thread's id (D28). */
function createPost(call: Call, parent: Channel): Answer {
  const body = parseBody(call, forumPostSchema);
  requirePermission(call, parent, "SendMessages");
  const tagIds = (body.applied_tags ?? []).filter((id) => parent.tags.some((tag) => tag.id === id));
  if (parent.requiresTag && tagIds.length === 0) {
    const canTag = parent.tags.some(({ isModerated }) => !isModerated) || isAllowed(call, parent, "ManageThreads");
    throw refuse(canTag ? 40067 : 40066);
  }
  const draft = buildDraft(call, body.message);
  requireRoom(call, parent, body.name);
  const channel = openThread(call.world, { ...buildInit(call, parent, body), appliedTagIds: tagIds });
  const message = postMessage(call.world, { channel, author: call.bot.user, ...draft, id: channel.id });
  return acceptThread(call, channel, message);
}

function buildInit(call: Call, parent: Channel, body: StarterThreadBody): NewThread {
  return {
    parent,
    ownerId: call.bot.id,
    name: body.name,
    autoArchiveMin: body.auto_archive_duration ?? ThreadAutoArchiveDuration.OneDay,
    slowmodeS: body.rate_limit_per_user ?? 0,
  };
}

function requireRoom(call: Call, parent: Channel, title: string): void {
  const guild = call.world.guilds.get(parent.guildId ?? "");
  requireClean(call, parent, title, 200001);
  if (guild === undefined || guild.activeThreadIds.size < guild.activeThreadLimit) return;
  throw refuse(parent.type === ChannelType.GuildAnnouncement ? 160007 : 160006);
}

function acceptThread({ bot }: Call, channel: Channel, message?: APIMessage): Answer {
  const wire: WireChannel | undefined = channel.thread && { ...buildThreadFor(channel, channel.thread, bot.id) };
  return accept({ ...wire, ...(message !== undefined && { message }) }, 201);
}

export const createThreadRoutes: readonly BotRoute[] = [
  { template: "POST /channels/:channel/messages/:message/threads", run: createFromMessage },
  { template: "POST /channels/:channel/threads", run: createThread },
];
