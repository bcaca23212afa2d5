import type { Chat } from "../chats/chat.ts";
import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import type { Topic } from "../chats/topic.ts";
import { findTopicIcon } from "../chats/topic-icon.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import {
  closeTopic,
  deleteTopic,
  editTopic,
  mayManageTopics,
  openTopic,
  type TopicPlace,
} from "../rooms/topic-change.ts";
import type { OwnTopicAction } from "./control.ts";
import type { RoomAction, TopicState } from "./room-control.ts";

export type TopicAction = RoomAction & {
  readonly action: "open-topic" | "rename-topic" | "close-topic" | "reopen-topic" | "delete-topic";
};

/** What a person does to a forum's topics; what an app would not offer is a mistake of the test. */
export function changeTopic(platform: Platform, room: Room, action: TopicAction): void {
  const by = platform.getAccount(action.byId);
  if (!room.isForum) throw refuse(room, "it has no topics; create it with isForum");
  if (action.action === "open-topic") {
    openTopic(platform, room, by, { name: action.name });
    return;
  }
  const topic = getTopic(room, action.topicId);
  if (topic.creatorId !== by.id && !mayManageTopics(room, by.id))
    throw refuse(room, `${by.first_name} has no right to`);
  switch (action.action) {
    case "rename-topic":
      editTopic(platform, room, by, topic, { name: action.name });
      return;
    case "delete-topic":
      deleteTopic(platform, room, topic);
      return;
    default:
      closeTopic(platform, room, by, topic, action.action === "close-topic");
  }
}

export function getTopic(place: TopicPlace, topicId: number): Topic {
  const topic = place.topics.get(topicId);
  if (topic !== undefined && !topic.isDeleted) return topic;
  throw new EmulatorError("unknown_chat", `finding topic ${topicId}: ${nameOf(place)} has no such topic`);
}

/** Topics as a test reads them: in the order they were opened, without deleted ones. */
export function listTopics(place: TopicPlace): readonly TopicState[] {
  return [...place.topics.values()]
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ creatorId: _, isDeleted: __, ...topic }) => ({ ...topic, ...describeIcon(topic) }));
}

function describeIcon({ iconEmojiId }: Pick<Topic, "iconEmojiId">): { readonly icon?: string } {
  const icon = iconEmojiId === undefined ? undefined : findTopicIcon(iconEmojiId);
  return icon === undefined ? {} : { icon: icon.emoji };
}

/** What a person does to the topics of a private chat. */
export function changeOwnTopic(platform: Platform, chat: Chat, action: OwnTopicAction): void {
  const { abilities } = platform.bots.get(chat.bot.profile.id);
  if (!abilities.has_topics_enabled || !abilities.allows_users_to_create_topics)
    throw new EmulatorError("invalid_request", `changing a topic of ${nameOf(chat)}: the bot does not allow it`);
  if (action.action === "open-topic") openTopic(platform, chat, chat.person.profile, { name: action.name });
  else deleteTopic(platform, chat, getTopic(chat, action.topicId));
}

function nameOf(place: TopicPlace): string {
  return place.kind === "private" ? `the chat of ${place.person.profile.first_name}` : place.title;
}

/** Who does not manage topics cannot write into a closed one. */
export function checkWritable(room: Room, account: WireUser, topic: Topic): void {
  if (!topic.isClosed || mayManageTopics(room, account.id)) return;
  throw new EmulatorError("invalid_request", `writing in ${room.title}: the topic ${topic.name} is closed`);
}

function refuse(room: Room, reason: string): EmulatorError {
  return new EmulatorError("invalid_request", `changing a topic of ${room.title}: ${reason}`);
}
