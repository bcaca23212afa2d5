import { changeChannel, deleteChannel } from "../acts/change-channel.ts";
import { changeThread } from "../acts/change-thread.ts";
import { getChannel, isAllowed, requirePermission } from "../rest/access.ts";
import { type Answer, accept, type BotRoute, type Call, parseBody } from "../rest/call.ts";
import { refuse } from "../rest/refusal.ts";
import { channelChangeSchema, type ThreadChangeBody, threadChangeSchema } from "../rest/thread-body.ts";
import { buildChannel, buildThreadFor } from "../wire/channel-wire.ts";
import type { Channel, ThreadState } from "../world/channel.ts";

function readChannel(call: Call): Answer {
  return acceptChannel(call, getChannel(call));
}

function updateChannel(call: Call): Answer {
  const channel = getChannel(call);
  if (channel.thread !== undefined) return updateThread(call, channel, channel.thread);
  const body = parseBody(call, channelChangeSchema);
  if (channel.dm !== undefined) throw refuse(50003);
  requirePermission(call, channel, "ManageChannels");
  requireRenamePace(call, channel, body);
  changeChannel(call.world, channel, {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.topic !== undefined && { topic: body.topic }),
    ...(body.rate_limit_per_user !== undefined && { slowmodeS: body.rate_limit_per_user ?? 0 }),
    ...(body.parent_id !== undefined && { parentId: body.parent_id }),
  });
  return acceptChannel(call, channel);
}

/** A name or a topic changes twice in ten minutes; customary, the reference tells only of the headers. */
const RENAMES = { limit: 2, windowMs: 10 * 60_000 } as const;

function requireRenamePace({ world }: Call, channel: Channel, body: { readonly name?: string | undefined }): void {
  if (world.limits === "off" || body.name === undefined || body.name === channel.name) return;
  const waitMs = channel.countWithin("rename", world.clock.nowMs(), RENAMES);
  if (waitMs > 0) throw refuse(429, waitMs / 1000);
}

function updateThread(call: Call, channel: Channel, thread: ThreadState): Answer {
  const body = parseBody(call, threadChangeSchema);
  requireThreadChange(call, channel, thread, body);
  requireRenamePace(call, channel, body);
  changeThread(call.world, channel, thread, {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.archived !== undefined && { isArchived: body.archived }),
    ...(body.locked !== undefined && { isLocked: body.locked }),
    ...(body.invitable !== undefined && { isInvitable: body.invitable }),
    ...(body.auto_archive_duration !== undefined && { autoArchiveMin: body.auto_archive_duration }),
    ...(body.rate_limit_per_user !== undefined && { slowmodeS: body.rate_limit_per_user ?? 0 }),
    ...(body.applied_tags !== undefined && { appliedTagIds: body.applied_tags }),
  });
  return acceptChannel(call, channel);
}

/** Modify Channel, "Thread": an archived one is only brought back, and a locked one by moderators alone (D22, D23). */
function requireThreadChange(call: Call, channel: Channel, thread: ThreadState, body: ThreadChangeBody): void {
  const isModerator = isAllowed(call, channel, "ManageThreads");
  if (thread.isLocked && !isModerator) throw refuse(160005);
  if (thread.isArchived && body.archived !== false) throw refuse(50083);
  if (isModerator) return;
  const names = Object.keys(body);
  if (names.every((name) => name === "archived") && body.archived === false) {
    requirePermission(call, channel, "SendMessagesInThreads");
    return;
  }
  const isOwnersToChange = names.every((name) => !["locked", "rate_limit_per_user", "flags"].includes(name));
  if (thread.ownerId !== call.bot.id || !isOwnersToChange) throw refuse(50013);
}

function removeChannel(call: Call): Answer {
  const channel = getChannel(call);
  if (channel.dm === undefined) {
    requirePermission(call, channel, channel.thread === undefined ? "ManageChannels" : "ManageThreads");
    deleteChannel(call.world, channel);
  }
  return acceptChannel(call, channel);
}

function acceptChannel({ world, bot }: Call, channel: Channel): Answer {
  return accept(
    channel.thread === undefined ? buildChannel(world, channel) : buildThreadFor(channel, channel.thread, bot.id),
  );
}

export const channelRoutes: readonly BotRoute[] = [
  { template: "GET /channels/:channel", run: readChannel },
  { template: "PATCH /channels/:channel", run: updateChannel },
  { template: "DELETE /channels/:channel", run: removeChannel },
];
