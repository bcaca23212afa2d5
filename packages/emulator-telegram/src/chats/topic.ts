import type { WireFields } from "./message.ts";

/** Bot API, "createForumTopic": the colours an icon can have. */
export const TOPIC_COLORS = [0x6fb9f0, 0xffd67e, 0xcb86db, 0x8eee98, 0xff93b2, 0xfb6f5f] as const;
/** Bot API, "createForumTopic": characters. */
export const TOPIC_NAME_LIMIT = 128;
/** Of the topic that every forum has; what is sent there names no topic at all (T19). */
export const GENERAL_TOPIC_ID = 1;

/** One topic of a forum. Its id is that of the service message it began with. */
export interface Topic {
  readonly id: number;
  readonly creatorId: number;
  readonly name: string;
  readonly iconColor: number;
  readonly iconEmojiId?: string;
  readonly isClosed: boolean;
  /** Nobody is told of it (T21). */
  readonly isDeleted: boolean;
}

/** What a message of the topic carries. */
export function buildTopicFields({ id }: Topic): WireFields {
  return { message_thread_id: id, is_topic_message: true };
}

/** A ForumTopic of the Bot API. */
export function buildForumTopic({ id, name, iconColor, iconEmojiId }: Topic): WireFields {
  return {
    message_thread_id: id,
    name,
    icon_color: iconColor,
    ...(iconEmojiId !== undefined && { icon_custom_emoji_id: iconEmojiId }),
  };
}
