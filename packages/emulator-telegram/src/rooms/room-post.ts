import { type ChatMessage, type MessageDraft, toSeconds, type WireFields } from "../chats/message.ts";
import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import { TELEGRAM_ACCOUNT } from "../chats/system-account.ts";
import type { Platform } from "../platform.ts";
import { reachesBot } from "./update-reach.ts";

/** Adds a message to a room, gives it to the bots it reaches and a channel's post to the discussion group too. */
export function postMessage(platform: Platform, room: Room, draft: MessageDraft): ChatMessage {
  const message = room.add(draft);
  deliver(platform, room, message, room.kind === "channel" ? "channel_post" : "message");
  if (draft.author === "bot") room.lastBotId = draft.authorId;
  if (room.kind === "channel" && room.linkedId !== undefined) forwardPost(platform, room, message);
  return message;
}

/** What Telegram itself writes: someone came, the title changed. `extra` as in MessageDraft. */
export function postService(
  platform: Platform,
  room: Room,
  by: WireUser,
  content: WireFields,
  extra?: WireFields,
): ChatMessage {
  const sender = room.kind === "channel" ? { sender_chat: room.profile } : { from: by };
  const atMs = platform.clock.nowMs();
  return postMessage(platform, room, {
    author: "user",
    text: "",
    entities: [],
    authorId: by.id,
    sender,
    content,
    ...(extra !== undefined && { extra }),
    atMs,
  });
}

/** To be called when a message has been edited. */
export function announceEdit(platform: Platform, room: Room, message: ChatMessage): void {
  deliver(platform, room, message, room.kind === "channel" ? "edited_channel_post" : "edited_message");
}

function deliver(platform: Platform, room: Room, message: ChatMessage, kind: string): void {
  const bots = platform.bots.all();
  const isOfBot = bots.some(({ id }) => id === message.authorId);
  for (const bot of bots) {
    const reader = {
      id: bot.id,
      username: bot.profile.username,
      readsAllGroupMessages: bot.abilities.can_read_all_group_messages,
      hearsOtherBots: bot.hearsOtherBots,
    };
    if (reachesBot(room, message, reader, isOfBot)) bot.notify(kind, room.buildWire(message));
  }
}

function forwardPost(platform: Platform, channel: Room, post: ChatMessage): void {
  const group = channel.linkedId === undefined ? undefined : platform.rooms.find(channel.linkedId);
  if (group === undefined) return;
  const atMs = platform.clock.nowMs();
  const origin = { type: "channel", date: toSeconds(atMs), chat: channel.profile, message_id: post.messageId };
  postMessage(platform, group, {
    author: "user",
    text: post.text,
    entities: post.entities,
    ...(post.content !== undefined && { content: post.content }),
    sender: { from: TELEGRAM_ACCOUNT, sender_chat: channel.profile },
    extra: { forward_origin: origin, is_automatic_forward: true },
    atMs,
  });
}
