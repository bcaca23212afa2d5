import { GatewayIntentBits, MessageType } from "discord-api-types/v10";
import { tellChannel } from "../acts/audience.ts";
import { deleteMessage, editMessage } from "../acts/change-message.ts";
import { readSnowflakeTime } from "../ports/snowflake.ts";
import { getChannel, getMessage, isAllowed, requireClean, requirePermission, requireSending } from "../rest/access.ts";
import { type Answer, accept, type BotRoute, type Call, NOTHING, parseBody, readInteger } from "../rest/call.ts";
import { messageBodySchema } from "../rest/message-body.ts";
import { refuse } from "../rest/refusal.ts";
import { isWritten, readText } from "../world/message-log.ts";
import { createMessage } from "./create-message.ts";
import { buildChange } from "./message-draft.ts";
import { showReactions } from "./reaction.ts";

const PAGE_LIMIT = 100;
const PAGE_DEFAULT = 50;
/** Older messages take few edits (D30); how many, Discord does not say. */
const HOUR_MS = 60 * 60_000;
const OLD_EDITS = { limit: 5, windowMs: 60_000 } as const;

function listMessages(call: Call): Answer {
  const channel = getChannel(call);
  if (!channel.holdsMessages) throw refuse(50008);
  const limit = readInteger(call.query, "limit", 1, PAGE_LIMIT, PAGE_DEFAULT);
  // Whoever may not read back sees an empty channel and no refusal (Get Channel Messages).
  if (!isAllowed(call, channel, "ReadMessageHistory")) return accept([]);
  const page = Object.fromEntries(
    ["before", "after", "around"].map((name) => [name, call.query.get(name) ?? undefined]),
  );
  const { before, after, around } = page;
  const messages = channel.log.list({
    limit,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(around !== undefined && { around }),
  });
  return accept(messages.map((message) => showReactions(channel, message, call.bot.id)));
}

function readMessage(call: Call): Answer {
  const channel = getChannel(call);
  requirePermission(call, channel, "ReadMessageHistory");
  return accept(showReactions(channel, getMessage(channel, call.path.message), call.bot.id));
}

function updateMessage(call: Call): Answer {
  const channel = getChannel(call);
  const message = getMessage(channel, call.path.message);
  const body = parseBody(call, messageBodySchema);
  if (message.author.id !== call.bot.id || message.webhook_id !== undefined) throw refuse(50005);
  if (!isWritten(message)) throw refuse(50021);
  if (channel.thread?.isArchived === true) throw refuse(50083);
  if (channel.thread?.isLocked === true && !isAllowed(call, channel, "ManageThreads")) throw refuse(160005);
  const nowMs = call.world.clock.nowMs();
  if (call.world.limits === "real" && nowMs - readSnowflakeTime(message.id) > HOUR_MS) {
    const waitMs = channel.countWithin(`edit|${call.bot.id}`, nowMs, OLD_EDITS);
    if (waitMs > 0) throw refuse(30046, waitMs / 1000);
  }
  const change = buildChange(call, body, message);
  requireClean(call, channel, readText({ ...message, ...change }), 200000);
  return accept(editMessage(call.world, channel, message, change));
}

function removeMessage(call: Call): Answer {
  const channel = getChannel(call);
  const message = getMessage(channel, call.path.message);
  if (message.type === MessageType.ThreadStarterMessage) throw refuse(50021);
  if (message.author.id !== call.bot.id) requirePermission(call, channel, "ManageMessages");
  if (channel.thread?.isArchived === true) throw refuse(50083);
  deleteMessage(call.world, channel, message.id);
  return NOTHING;
}

function startTyping(call: Call): Answer {
  const channel = getChannel(call);
  requireSending(call, channel);
  const { world, bot } = call;
  const guild = channel.guildId === undefined ? {} : { guild_id: channel.guildId };
  tellChannel(world, channel, {
    type: "TYPING_START",
    data: { channel_id: channel.id, user_id: bot.id, timestamp: Math.trunc(world.clock.nowMs() / 1000), ...guild },
    intent: channel.dm === undefined ? GatewayIntentBits.GuildMessageTyping : GatewayIntentBits.DirectMessageTyping,
  });
  return NOTHING;
}

export const messageRoutes: readonly BotRoute[] = [
  { template: "POST /channels/:channel/messages", run: createMessage },
  { template: "GET /channels/:channel/messages", run: listMessages },
  { template: "GET /channels/:channel/messages/:message", run: readMessage },
  { template: "PATCH /channels/:channel/messages/:message", run: updateMessage },
  { template: "DELETE /channels/:channel/messages/:message", run: removeMessage },
  { template: "POST /channels/:channel/typing", run: startTyping },
];
