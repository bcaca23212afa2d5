import type { APIMessage } from "discord-api-types/v10";
import { addReaction, removeReaction } from "../acts/react.ts";
import { getChannel, getMessage, isAllowed, requirePermission } from "../rest/access.ts";
import { type Answer, accept, type BotRoute, type Call, NOTHING } from "../rest/call.ts";
import { refuse } from "../rest/refusal.ts";
import type { Channel } from "../world/channel.ts";

/** The message with its reactions as one user sees them. */
export function showReactions(channel: Channel, message: APIMessage, userId: string): APIMessage {
  const byEmoji = channel.reactions.get(message.id);
  if (byEmoji === undefined || byEmoji.size === 0) return message;
  const reactions = [...byEmoji].map(([name, userIds]) => ({
    emoji: { id: null, name },
    count: userIds.size,
    count_details: { burst: 0, normal: userIds.size },
    burst_colors: [],
    me: userIds.has(userId),
    me_burst: false,
  }));
  return { ...message, reactions };
}

function react(call: Call): Answer {
  const channel = getChannel(call);
  const message = getMessage(channel, call.path.message);
  const emoji = call.path.emoji ?? "";
  requirePermission(call, channel, "ReadMessageHistory");
  if (channel.thread?.isArchived === true) throw refuse(50083);
  if (channel.reactions.get(message.id)?.has(emoji) !== true && !isAllowed(call, channel, "AddReactions")) {
    throw refuse(50013);
  }
  addReaction(call.world, channel, message, emoji, call.bot.id);
  return NOTHING;
}

function unreact(call: Call): Answer {
  const channel = getChannel(call);
  const message = getMessage(channel, call.path.message);
  const userId = call.path.user ?? call.bot.id;
  if (userId !== call.bot.id) requirePermission(call, channel, "ManageMessages");
  removeReaction(call.world, channel, message, call.path.emoji ?? "", userId);
  return NOTHING;
}

function listReactions(call: Call): Answer {
  const channel = getChannel(call);
  const message = getMessage(channel, call.path.message);
  const userIds = channel.reactions.get(message.id)?.get(call.path.emoji ?? "") ?? new Set<string>();
  return accept([...userIds].map((id) => call.world.findUser(id)).filter((user) => user !== undefined));
}

export const reactionRoutes: readonly BotRoute[] = [
  { template: "PUT /channels/:channel/messages/:message/reactions/:emoji/@me", run: react },
  { template: "DELETE /channels/:channel/messages/:message/reactions/:emoji/@me", run: unreact },
  { template: "DELETE /channels/:channel/messages/:message/reactions/:emoji/:user", run: unreact },
  { template: "GET /channels/:channel/messages/:message/reactions/:emoji", run: listReactions },
];
