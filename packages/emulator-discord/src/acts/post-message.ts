import {
  type APIAllowedMentions,
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageReference,
  type APIMessageTopLevelComponent,
  type APIUser,
  MessageType,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { tellMessage } from "./audience.ts";
import { joinThread, unarchiveThread } from "./change-thread.ts";
import { findMentions } from "./mention.ts";

/** What is written where; whoever posts has looked before whether that may be. */
export interface Post {
  readonly channel: Channel;
  /** Given where it is known before, as that of a forum post's first message is. */
  readonly id?: string;
  readonly author: APIUser;
  readonly content: string;
  readonly type?: MessageType;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIMessageTopLevelComponent[];
  readonly attachments?: readonly APIAttachment[];
  readonly reference?: APIMessageReference;
  readonly allowedMentions?: APIAllowedMentions;
  readonly nonce?: string | number;
  readonly flags?: number;
  readonly isTts?: boolean;
  readonly webhookId?: string;
  /** Further fields of the API's message, such as the interaction that it answers. */
  readonly extra?: Partial<APIMessage>;
}

/** Writes a message and tells of it; a thread that is archived is so no more (D22). */
export function postMessage(world: World, post: Post): APIMessage {
  const { channel, author } = post;
  const nowMs = world.clock.nowMs();
  if (channel.thread !== undefined) {
    unarchiveThread(world, channel);
    if (post.webhookId === undefined && world.findUser(author.id) !== undefined) joinThread(world, channel, author.id);
    channel.thread.messageCount += 1;
    channel.thread.totalMessageCount += 1;
  }
  const message = buildMessage(world, post, nowMs);
  channel.log.add(message, nowMs);
  channel.lastMessageId = message.id;
  if (channel.slowmodeS > 0) channel.lastWroteMs.set(author.id, nowMs);
  if (post.nonce === undefined) tellMessage(world, channel, "MESSAGE_CREATE", message);
  else {
    world.nonces.add(author.id, post.nonce, { channelId: channel.id, messageId: message.id, atMs: nowMs });
    tellMessage(world, channel, "MESSAGE_CREATE", { ...message, nonce: post.nonce });
  }
  if (author.bot === true) world.onSent?.({ channelId: channel.id, text: message.content });
  return message;
}

/** A message that is not written anywhere yet. */
export function buildMessage(world: World, post: Post, nowMs: number): APIMessage {
  const { channel, author, content, reference } = post;
  const replied = reference?.message_id === undefined ? undefined : channel.log.find(reference.message_id);
  const type = post.type ?? (reference === undefined ? MessageType.Default : MessageType.Reply);
  const mentions = findMentions(world, {
    channel,
    content,
    allowed: post.allowedMentions,
    mayMentionEveryone: (world.readPermissions(author.id, channel) & PermissionFlagsBits.MentionEveryone) !== 0n,
    ...(replied !== undefined && type === MessageType.Reply && { repliedTo: replied.author }),
  });
  const { referenced_message: _, ...flatReplied } = replied ?? { referenced_message: null };
  return {
    id: post.id ?? world.nextId(),
    channel_id: channel.id,
    author,
    content,
    timestamp: new Date(nowMs).toISOString(),
    edited_timestamp: null,
    tts: post.isTts ?? false,
    mention_everyone: mentions.isEveryone,
    mentions: [...mentions.users],
    mention_roles: [...mentions.roleIds],
    attachments: [...(post.attachments ?? [])],
    embeds: [...(post.embeds ?? [])],
    components: [...(post.components ?? [])],
    pinned: false,
    type,
    flags: post.flags ?? 0,
    ...(reference !== undefined && { message_reference: reference }),
    ...(type === MessageType.Reply && { referenced_message: "id" in flatReplied ? flatReplied : null }),
    ...(post.nonce !== undefined && world.keepsNonces && { nonce: post.nonce }),
    ...(post.webhookId !== undefined && { webhook_id: post.webhookId }),
    ...post.extra,
  };
}
