import { randomBytes } from "node:crypto";
import { type APIMessage, GatewayIntentBits, ThreadAutoArchiveDuration } from "discord-api-types/v10";
import { z } from "zod";
import { tellChannel } from "../acts/audience.ts";
import { deleteMessage, editMessage } from "../acts/change-message.ts";
import { openThread } from "../acts/open-thread.ts";
import { postMessage } from "../acts/post-message.ts";
import { getChannel, requirePermission } from "../rest/access.ts";
import { type Answer, accept, type Call, NOTHING, parseBody, type Request, type Route } from "../rest/call.ts";
import { type MessageBody, messageBodySchema, webhookNameSchema } from "../rest/message-body.ts";
import { refuse } from "../rest/refusal.ts";
import type { Channel } from "../world/channel.ts";
import { buildUser } from "../world/user.ts";
import type { Webhook } from "../world/webhook.ts";
import { createFollowup, findInteraction, readAnswer, removeAnswer, updateAnswer } from "./interaction-message.ts";
import { buildChange, buildDraft } from "./message-draft.ts";

const WEBHOOK_LIMIT = 15;
const newWebhookSchema: z.ZodType<{ readonly name: string; readonly avatar?: string | null | undefined }> =
  z.strictObject({ name: webhookNameSchema, avatar: z.string().nullish() });

function createWebhook(call: Call): Answer {
  const channel = getChannel(call);
  const { name } = parseBody(call, newWebhookSchema);
  requirePermission(call, channel, "ManageWebhooks");
  if (channel.thread !== undefined || channel.guildId === undefined) throw refuse(50024);
  if (call.world.webhooks.listIn(channel.id).length >= WEBHOOK_LIMIT) throw refuse(30007);
  const webhook = {
    id: call.world.nextId(),
    token: randomBytes(48).toString("base64url"),
    channelId: channel.id,
    guildId: channel.guildId,
    applicationId: call.bot.id,
    name,
  };
  call.world.webhooks.add(webhook);
  const data = { guild_id: channel.guildId, channel_id: channel.id };
  tellChannel(call.world, channel, { type: "WEBHOOKS_UPDATE", data, intent: GatewayIntentBits.GuildWebhooks });
  return accept(buildWebhook(call, webhook));
}

function listWebhooks(call: Call): Answer {
  const channel = getChannel(call);
  requirePermission(call, channel, "ManageWebhooks");
  return accept(call.world.webhooks.listIn(channel.id).map((webhook) => buildWebhook(call, webhook)));
}

/** Executing one, or a followup to an interaction: their addresses look the same. */
function execute(request: Request): Answer {
  const interaction = findInteraction(request);
  if (interaction !== undefined) return createFollowup(request, interaction);
  const webhook = getWebhook(request);
  const body = parseBody(request, messageBodySchema);
  const channel = findTarget(request, webhook, body);
  const { id } = webhook;
  const author = { ...buildUser(id, body.username ?? webhook.name, "0000"), bot: true };
  const message = postMessage(request.world, {
    channel,
    author,
    webhookId: id,
    ...buildDraft(request, body),
    ...(body.thread_name !== undefined && { id: channel.id }),
    extra: { application_id: webhook.applicationId },
  });
  return request.query.get("wait") === "true" ? accept(message) : NOTHING;
}

/** The channel, a thread of it, or a post that the message opens (Execute Webhook). */
function findTarget({ world, query }: Request, webhook: Webhook, body: MessageBody): Channel {
  const channel = world.findChannel(webhook.channelId);
  if (channel === undefined) throw refuse(10015);
  const threadId = query.get("thread_id");
  if (threadId !== null) {
    const thread = world.findChannel(threadId);
    if (thread?.parentId !== channel.id || thread.thread === undefined) throw refuse(10003);
    if (thread.thread.isLocked) throw refuse(160005);
    return thread;
  }
  if (!channel.isForum) return channel;
  if (body.thread_name === undefined) throw refuse(40058);
  const autoArchiveMin = ThreadAutoArchiveDuration.OneDay;
  return openThread(world, { parent: channel, ownerId: webhook.id, name: body.thread_name, autoArchiveMin });
}

function readOwn(request: Request): Answer {
  const interaction = findInteraction(request);
  if (interaction !== undefined) return readAnswer(request, interaction);
  return accept(getOwn(request).message);
}

function updateOwn(request: Request): Answer {
  const interaction = findInteraction(request);
  if (interaction !== undefined) return updateAnswer(request, interaction);
  const { channel, message } = getOwn(request);
  if (channel.thread?.isArchived === true) throw refuse(50083);
  const change = buildChange(request, parseBody(request, messageBodySchema), message);
  return accept(editMessage(request.world, channel, message, change));
}

function removeOwn(request: Request): Answer {
  const interaction = findInteraction(request);
  if (interaction !== undefined) return removeAnswer(request, interaction);
  const { channel, message } = getOwn(request);
  deleteMessage(request.world, channel, message.id);
  return NOTHING;
}

function removeWebhook(request: Request): Answer {
  request.world.webhooks.remove(getWebhook(request).id);
  return NOTHING;
}

/** 10015 where it is gone, 50027 where the token is another one's (D40). */
function getWebhook({ world, path }: Request): Webhook {
  const webhook = world.webhooks.find(path.webhook ?? "");
  if (webhook === undefined) throw refuse(path.webhook !== undefined && world.bots.find(path.webhook) ? 50027 : 10015);
  if (webhook.token !== path.token) throw refuse(50027);
  return webhook;
}

function getOwn(request: Request): { readonly channel: Channel; readonly message: APIMessage } {
  const { id, channelId } = getWebhook(request);
  const channel = request.world.findChannel(request.query.get("thread_id") ?? channelId);
  const message = channel?.log.find(request.path.message ?? "");
  if (channel === undefined || message?.webhook_id !== id) throw refuse(10008);
  return { channel, message };
}

function buildWebhook({ bot }: Call, webhook: Webhook): Readonly<Record<string, unknown>> {
  const { id, token, name, channelId, guildId, applicationId } = webhook;
  return {
    id,
    type: 1,
    name,
    avatar: null,
    channel_id: channelId,
    guild_id: guildId,
    application_id: applicationId,
    user: bot.user,
    ...(applicationId === bot.id && { token, url: `https://discord.invalid/api/webhooks/${id}/${token}` }),
  };
}

export const webhookRoutes: readonly Route[] = [
  { template: "POST /channels/:channel/webhooks", run: createWebhook },
  { template: "GET /channels/:channel/webhooks", run: listWebhooks },
  { template: "POST /webhooks/:webhook/:token", runOpen: execute },
  { template: "DELETE /webhooks/:webhook/:token", runOpen: removeWebhook },
  { template: "GET /webhooks/:webhook/:token/messages/:message", runOpen: readOwn },
  { template: "PATCH /webhooks/:webhook/:token/messages/:message", runOpen: updateOwn },
  { template: "DELETE /webhooks/:webhook/:token/messages/:message", runOpen: removeOwn },
];
