/** What happens to the topics of a forum or a private chat, whoever does it. */
import type { Chat } from "../chats/chat.ts";
import { hasRight, isMember } from "../chats/membership.ts";
import type { WireFields } from "../chats/message.ts";
import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import { buildForumTopic, buildTopicFields, TOPIC_COLORS, type Topic } from "../chats/topic.ts";
import type { Platform } from "../platform.ts";
import { postService } from "./room-post.ts";

/** A forum, or a private chat with a bot that has topics there. */
export type TopicPlace = Chat | Room;

/** How a new topic looks. */
export interface TopicLook {
  readonly name: string;
  readonly iconColor?: number | undefined;
  /** Empty: none. */
  readonly iconEmojiId?: string | undefined;
}

export function openTopic(platform: Platform, place: TopicPlace, by: WireUser, look: TopicLook): Topic {
  const { name, iconColor = TOPIC_COLORS[0], iconEmojiId } = look;
  const topic = place.addTopic({
    creatorId: by.id,
    name,
    iconColor,
    ...(iconEmojiId !== undefined && iconEmojiId !== "" && { iconEmojiId }),
    isClosed: false,
    isDeleted: false,
  });
  const { message_thread_id: _, ...created } = buildForumTopic(topic);
  announce(platform, place, by, topic, { forum_topic_created: created });
  return topic;
}

/** Answers whether anything is different now. */
export function editTopic(
  platform: Platform,
  place: TopicPlace,
  by: WireUser,
  topic: Topic,
  look: Partial<TopicLook>,
): boolean {
  const { iconEmojiId: before = "", ...rest } = topic;
  const { name = topic.name, iconEmojiId = before } = look;
  if (name === topic.name && iconEmojiId === before) return false;
  const edited = place.setTopic({ ...rest, name, ...(iconEmojiId !== "" && { iconEmojiId }) });
  announce(platform, place, by, edited, {
    forum_topic_edited: {
      ...(name !== topic.name && { name }),
      ...(iconEmojiId !== before && { icon_custom_emoji_id: iconEmojiId }),
    },
  });
  return true;
}

/** As `editTopic`. */
export function closeTopic(
  platform: Platform,
  place: TopicPlace,
  by: WireUser,
  topic: Topic,
  isClosed: boolean = true,
): boolean {
  if (topic.isClosed === isClosed) return false;
  const changed = place.setTopic({ ...topic, isClosed });
  announce(platform, place, by, changed, isClosed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} });
  return true;
}

/** With all its messages; no update tells of it (T21). */
export function deleteTopic(platform: Platform, place: TopicPlace, topic: Topic): void {
  place.setTopic({ ...topic, isDeleted: true });
  for (const message of place.messages()) {
    const isThere = message.extra?.message_thread_id === topic.id && !message.isDeleted;
    if (isThere) place.delete(message, platform.clock.nowMs());
  }
}

/** Whether one may change a topic, and write where it is closed. In a private chat both may, and none is ever closed. */
export function mayManageTopics(place: TopicPlace, userId: number): boolean {
  if (place.kind === "private") return true;
  const membership = place.members.get(userId);
  return isMember(membership) && hasRight(membership, place.kind, "can_manage_topics");
}

function announce(platform: Platform, place: TopicPlace, by: WireUser, topic: Topic, content: WireFields): void {
  const extra = buildTopicFields(topic);
  if (place.kind !== "private") {
    postService(platform, place, by, content, extra);
    return;
  }
  const message = place.add({
    author: "user",
    sender: { from: by },
    text: "",
    entities: [],
    content,
    extra,
    atMs: platform.clock.nowMs(),
  });
  platform.bots.find(place.bot.profile.id)?.notify("message", place.buildWire(message));
}
