import type { APIMessage, APIMessageReference } from "discord-api-types/v10";
import { type Post, postMessage } from "../acts/post-message.ts";
import { getChannel, isAllowed, requireClean, requirePermission, requireSending } from "../rest/access.ts";
import { type Answer, accept, type Call, parseBody } from "../rest/call.ts";
import { buildFieldError } from "../rest/form-error.ts";
import { type MessageBody, messageBodySchema } from "../rest/message-body.ts";
import { refuse, refuseForm } from "../rest/refusal.ts";
import type { Channel } from "../world/channel.ts";
import { isWritten, readText } from "../world/message-log.ts";
import { buildDraft } from "./message-draft.ts";

export function createMessage(call: Call): Answer {
  const channel = getChannel(call);
  const body = parseBody(call, messageBodySchema);
  const draft = buildDraft(call, body);
  requireSending(call, channel);
  if (draft.attachments !== undefined && draft.attachments.length > 0) requirePermission(call, channel, "AttachFiles");
  requireClean(call, channel, readText({ content: draft.content, embeds: [...(draft.embeds ?? [])] }), 200000);
  const reference = buildReference(call, channel, body.message_reference ?? undefined);
  const nonce = body.nonce ?? undefined;
  const known = body.enforce_nonce === true && nonce !== undefined ? findKnown(call, channel, nonce) : undefined;
  const post: Post = {
    channel,
    author: call.bot.user,
    ...draft,
    ...(channel.guildId !== undefined && !isAllowed(call, channel, "EmbedLinks") && { embeds: [] }),
    ...(reference !== undefined && { reference }),
    ...(nonce !== undefined && { nonce }),
  };
  const message = known ?? postMessage(call.world, post);
  return accept(nonce === undefined ? message : { ...message, nonce });
}

/** The message that the same author's nonce has made already, wherever it stands now (D5). */
function findKnown({ world, bot }: Call, { id }: Channel, nonce: string | number): APIMessage | undefined {
  const entry = world.nonces.find(bot.id, nonce, world.clock.nowMs());
  if (world.hasChannelNonces && entry?.channelId !== id) return undefined;
  return entry && world.findChannel(entry.channelId)?.log.find(entry.messageId);
}

/** Undefined where there is none, or one to a message that is gone and need not be there (D19, D27). */
function buildReference(
  call: Call,
  channel: Channel,
  reference: MessageBody["message_reference"],
): APIMessageReference | undefined {
  if (reference?.message_id === undefined) return undefined;
  if (channel.guildId !== undefined && !isAllowed(call, channel, "ReadMessageHistory")) throw refuse(160002);
  const isHere = (reference.channel_id ?? channel.id) === channel.id;
  const target = isHere ? channel.log.find(reference.message_id) : undefined;
  if (target !== undefined && !isWritten(target)) {
    const code = "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE";
    throw refuseForm(buildFieldError(["message_reference"], code, "Cannot reply to a system message"));
  }
  if (target !== undefined) {
    const { guildId } = channel;
    const place = { channel_id: channel.id, ...(guildId !== undefined && { guild_id: guildId }) };
    return { type: 0, message_id: reference.message_id, ...place };
  }
  if (reference.fail_if_not_exists === false) return undefined;
  const code = "MESSAGE_REFERENCE_UNKNOWN_MESSAGE";
  throw refuseForm(buildFieldError(["message_reference"], code, "Unknown message"));
}
