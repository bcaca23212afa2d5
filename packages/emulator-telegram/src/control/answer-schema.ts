/** The schemas of what the control interface answers. */
import { z } from "zod";
import type { QueryAnswer } from "../bots/query-list.ts";
import type { ChatDraft } from "../chats/draft-list.ts";
import { MEMBER_STATUSES } from "../chats/membership.ts";
import type { ChatEvent, ChatMessage, MessageVersion, WireChat, WireFields, WireSender } from "../chats/message.ts";
import type { WireUser } from "../chats/person.ts";
import { entitySchema } from "../text/entity.ts";
import type { BotState, ChatHistory } from "./control.ts";
import type { RoomHistory, RoomState, TopicState } from "./room-control.ts";

export const botState: z.ZodType<BotState> = z.object({
  id: z.int(),
  username: z.string(),
  pendingUpdates: z.int(),
  isPolling: z.boolean(),
});
const content = { text: z.string(), entities: z.array(entitySchema) };
const version: z.ZodType<MessageVersion> = z.object({ ...content, atMs: z.number() });
const author = z.enum(["user", "bot"]);
const wireUser: z.ZodType<WireUser> = z.object({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  username: z.string().exactOptional(),
  language_code: z.string().exactOptional(),
});
const wireChat: z.ZodType<WireChat> = z.object({
  id: z.int(),
  type: z.enum(["private", "group", "supergroup", "channel"]),
  title: z.string().exactOptional(),
  first_name: z.string().exactOptional(),
  username: z.string().exactOptional(),
  is_forum: z.literal(true).exactOptional(),
});
const sender: z.ZodType<WireSender> = z.object({
  from: wireUser.exactOptional(),
  sender_chat: wireChat.exactOptional(),
  author_signature: z.string().exactOptional(),
});
const fields: z.ZodType<WireFields> = z.record(z.string(), z.unknown());
const message: z.ZodType<ChatMessage> = z.object({
  ...content,
  messageId: z.int(),
  author,
  replyTo: z.int().exactOptional(),
  replyMarkup: z.unknown().exactOptional(),
  sender: sender.exactOptional(),
  authorId: z.int().exactOptional(),
  content: fields.exactOptional(),
  extra: fields.exactOptional(),
  versions: z.array(version),
  isDeleted: z.boolean(),
});
export const event: z.ZodType<ChatEvent> = z.object({
  ...content,
  seq: z.int(),
  kind: z.enum(["sent", "edited", "deleted"]),
  messageId: z.int(),
  author,
  authorId: z.int().exactOptional(),
  atMs: z.number(),
});
export const draft: z.ZodType<ChatDraft> = z.object({
  ...content,
  seq: z.int(),
  draftId: z.int(),
  threadId: z.int().exactOptional(),
  canStop: z.boolean(),
  atMs: z.number(),
});
export const queryAnswer: z.ZodType<QueryAnswer> = z.object({ text: z.string(), isAlert: z.boolean() });
const topics: z.ZodType<readonly TopicState[]> = z.array(
  z.object({
    id: z.int(),
    name: z.string(),
    iconColor: z.int(),
    iconEmojiId: z.string().exactOptional(),
    icon: z.string().exactOptional(),
    isClosed: z.boolean(),
  }),
);
export const history: z.ZodType<ChatHistory> = z.object({
  botId: z.int(),
  botUsername: z.string(),
  userId: z.int(),
  userFirstName: z.string(),
  topics,
  messages: z.array(message),
});
const room = {
  chatId: z.int(),
  kind: z.enum(["group", "supergroup", "channel"]),
  title: z.string(),
  username: z.string().exactOptional(),
  members: z.array(
    z.object({ id: z.int(), firstName: z.string(), isBot: z.boolean(), status: z.enum(MEMBER_STATUSES) }),
  ),
  topics,
  migratedTo: z.int().exactOptional(),
};
export const roomState: z.ZodType<RoomState> = z.object(room);
export const roomHistory: z.ZodType<RoomHistory> = z.object({ ...room, messages: z.array(message) });
