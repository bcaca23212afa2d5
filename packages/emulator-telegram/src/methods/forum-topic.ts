/** The methods that make and change a forum's topics (T18-T23). */
import { type Answer, accept, type Refusal, refuseRequest } from "../answers/answer.ts";
import { hasRight } from "../chats/membership.ts";
import { buildForumTopic, GENERAL_TOPIC_ID, TOPIC_COLORS, TOPIC_NAME_LIMIT, type Topic } from "../chats/topic.ts";
import { findTopicIcon } from "../chats/topic-icon.ts";
import {
  closeTopic,
  deleteTopic,
  editTopic,
  mayManageTopics,
  openTopic,
  type TopicPlace,
} from "../rooms/topic-change.ts";
import { resolveChat } from "./chat-access.ts";
import type { Call, Method } from "./method.ts";

/** MTProto, "channels.editForumTopic". It names no refusal of an icon for the method that creates topics; taken to be the same. */
const UNKNOWN_ICON = "DOCUMENT_INVALID";

interface Target {
  readonly room: TopicPlace;
  readonly topic: Topic;
}

type ChangeTopic = (call: Call, target: Target) => Answer;

export const createForumTopic: Method = (call) => {
  const { read, bot, platform } = call;
  const chatId = read.chatId("chat_id");
  const name = read.text("name")?.trim() ?? "";
  const iconColor = read.integer("icon_color");
  const iconEmojiId = read.text("icon_custom_emoji_id");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  const room = resolveForum(call, chatId);
  if ("ok" in room) return room;
  if (!mayManageTopics(room, bot.id)) return refuseRequest("not enough rights to create a topic");
  const isColor = iconColor === undefined || TOPIC_COLORS.some((color) => color === iconColor);
  if (!isColor) return refuseRequest("invalid icon color specified");
  if (!isName(name)) return refuseRequest("TOPIC_TITLE_EMPTY");
  if (!isIcon(iconEmojiId)) return refuseRequest(UNKNOWN_ICON);
  return accept(buildForumTopic(openTopic(platform, room, bot.profile, { name, iconColor, iconEmojiId })));
};

export const editForumTopic: Method = (call) => {
  const name = call.read.text("name")?.trim();
  const iconEmojiId = call.read.text("icon_custom_emoji_id");
  return change(call, "edit the topic", ({ bot, platform }, { room, topic }) => {
    if (name !== undefined && name !== "" && !isName(name)) return refuseRequest("TOPIC_TITLE_EMPTY");
    if (!isIcon(iconEmojiId)) return refuseRequest(UNKNOWN_ICON);
    const look = { ...(isName(name) && { name }), ...(iconEmojiId !== undefined && { iconEmojiId }) };
    return settle(editTopic(platform, room, bot.profile, topic, look));
  });
};

export const closeForumTopic: Method = (call) => setClosed(call, true);

export const reopenForumTopic: Method = (call) => setClosed(call, false);

/** Bot API, "closeForumTopic": in a forum supergroup chat, unlike the methods that edit and delete. */
function setClosed(call: Call, isClosed: boolean): Answer {
  return change(call, "close or reopen the topic", ({ bot, platform }, { room, topic }) =>
    room.kind === "private"
      ? refuseRequest("the chat is not a supergroup")
      : settle(closeTopic(platform, room, bot.profile, topic, isClosed)),
  );
}

/** Bot API, "deleteForumTopic": another right than for all else, since its messages are deleted with it. */
export const deleteForumTopic: Method = (call) =>
  change(call, "delete the topic", ({ bot, platform }, { room, topic }) => {
    if (!mayDelete(room, bot.id)) return refuseRequest("not enough rights to delete the topic");
    deleteTopic(platform, room, topic);
    return accept(true);
  });

function mayDelete(room: TopicPlace, botId: number): boolean {
  if (room.kind === "private") return true;
  const membership = room.members.get(botId);
  return membership !== undefined && hasRight(membership, room.kind, "can_delete_messages");
}

/** What is done to one topic; `deed` for the refusal of who neither made it nor manages topics. */
function change(call: Call, deed: string, run: ChangeTopic): Answer {
  const chatId = call.read.chatId("chat_id");
  const topicId = call.read.integer("message_thread_id");
  const refusal = call.read.refusal();
  if (refusal !== undefined) return refusal;

  const room = resolveForum(call, chatId);
  if ("ok" in room) return room;
  const topic = resolveTopic(room, topicId);
  if ("ok" in topic) return topic;
  const may = topic.creatorId === call.bot.id || mayManageTopics(room, call.bot.id);
  return may ? run(call, { room, topic }) : refuseRequest(`not enough rights to ${deed}`);
}

function resolveForum(call: Call, chatId: number | string | undefined): TopicPlace | Refusal {
  const room = resolveChat(call, chatId);
  if ("ok" in room) return room;
  return room.isForum ? room : refuseRequest("the chat is not a forum");
}

/** A topic of the room, or how Telegram says that there is none. */
export function resolveTopic(room: TopicPlace, topicId: number | undefined): Topic | Refusal {
  const isGeneral = room.kind !== "private" && topicId === GENERAL_TOPIC_ID;
  const topic = topicId === undefined || isGeneral ? undefined : room.topics.get(topicId);
  if (topic === undefined) return refuseRequest("message thread not found");
  return topic.isDeleted ? refuseRequest("TOPIC_DELETED") : topic;
}

function settle(isChanged: boolean): Answer {
  return isChanged ? accept(true) : refuseRequest("TOPIC_NOT_MODIFIED");
}

/** The empty one stands for none (Bot API, "editForumTopic"). */
function isIcon(customEmojiId: string | undefined): boolean {
  return customEmojiId === undefined || customEmojiId === "" || findTopicIcon(customEmojiId) !== undefined;
}

function isName(name: string | undefined): name is string {
  return name !== undefined && name !== "" && name.length <= TOPIC_NAME_LIMIT;
}
