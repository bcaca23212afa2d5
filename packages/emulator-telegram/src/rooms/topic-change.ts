/** What happens to a forum's topics, whoever does it. */
import { hasRight, isMember } from "../chats/membership.ts";
import type { WireFields } from "../chats/message.ts";
import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import { buildForumTopic, buildTopicFields, TOPIC_COLORS, type Topic } from "../chats/topic.ts";
import type { Platform } from "../platform.ts";
import { postService } from "./room-post.ts";

/** How a new topic looks. */
export interface TopicLook {
  readonly name: string;
  readonly iconColor?: number | undefined;
  readonly iconEmojiId?: string | undefined;
}

export function openTopic(platform: Platform, room: Room, by: WireUser, look: TopicLook): Topic {
  const { name, iconColor = TOPIC_COLORS[0], iconEmojiId } = look;
  const topic = room.addTopic({
    creatorId: by.id,
    name,
    iconColor,
    ...(iconEmojiId !== undefined && { iconEmojiId }),
    isClosed: false,
    isDeleted: false,
  });
  const { message_thread_id: _, ...created } = buildForumTopic(topic);
  announce(platform, room, by, topic, { forum_topic_created: created });
  return topic;
}

/** Answers whether anything is different now. */
export function editTopic(
  platform: Platform,
  room: Room,
  by: WireUser,
  topic: Topic,
  look: Partial<TopicLook>,
): boolean {
  const { name = topic.name, iconEmojiId = topic.iconEmojiId } = look;
  if (name === topic.name && iconEmojiId === topic.iconEmojiId) return false;
  const edited = room.setTopic({ ...topic, name, ...(iconEmojiId !== undefined && { iconEmojiId }) });
  announce(platform, room, by, edited, {
    forum_topic_edited: {
      ...(name !== topic.name && { name }),
      ...(iconEmojiId !== topic.iconEmojiId && { icon_custom_emoji_id: iconEmojiId }),
    },
  });
  return true;
}

/** As `editTopic`. */
export function closeTopic(
  platform: Platform,
  room: Room,
  by: WireUser,
  topic: Topic,
  isClosed: boolean = true,
): boolean {
  if (topic.isClosed === isClosed) return false;
  const changed = room.setTopic({ ...topic, isClosed });
  announce(platform, room, by, changed, isClosed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} });
  return true;
}

/** With all its messages; no update tells of it (T21). */
export function deleteTopic(platform: Platform, room: Room, topic: Topic): void {
  room.setTopic({ ...topic, isDeleted: true });
  for (const message of room.messages()) {
    const isThere = message.extra?.message_thread_id === topic.id && !message.isDeleted;
    if (isThere) room.delete(message, platform.clock.nowMs());
  }
}

/** Whether one may change a topic, and write where it is closed. */
export function mayManageTopics(room: Room, userId: number): boolean {
  const membership = room.members.get(userId);
  return isMember(membership) && hasRight(membership, room.kind, "can_manage_topics");
}

function announce(platform: Platform, room: Room, by: WireUser, topic: Topic, content: WireFields): void {
  postService(platform, room, by, content, buildTopicFields(topic));
}
