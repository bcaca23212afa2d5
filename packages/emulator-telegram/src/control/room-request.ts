/** The schemas of what comes over the control interface about rooms and the service itself. */
import { z } from "zod";
import { botAbilitiesSchema } from "../bots/bot-ability.ts";
import { BOT_TROUBLES } from "../bots/bot-trouble.ts";
import { mediaSchema } from "../chats/media.ts";
import { MEMBER_STATUSES } from "../chats/membership.ts";
import { TOPIC_NAME_LIMIT } from "../chats/topic.ts";
import { floodLimitsSchema } from "../server/flood-limit.ts";
import { entitySchema } from "../text/entity.ts";
import type { PostEdit, RoomAction, RoomControl, RoomFilter, RoomLine, RoomSpec } from "./room-control.ts";
import type { BotChange, Flood, UpdatePush, WorldControl } from "./world-control.ts";

/** Parses the request and calls the operation; a ZodError is the caller's mistake. */
export type Operation = (request: unknown) => Promise<unknown>;

const id = z.int();
const botId = id.exactOptional();
/** Further than this no test looks, and dates stay dates. */
const TIME_LIMIT_MS = 366 * 24 * 60 * 60 * 1000;

/** What an app takes. */
export const topicName: z.ZodType<string> = z.string().min(1).max(TOPIC_NAME_LIMIT);

const roomSpec: z.ZodType<RoomSpec> = z.strictObject({
  kind: z.enum(["group", "supergroup", "channel"]),
  title: z.string().min(1).max(128),
  username: z.string().min(1).exactOptional(),
  creatorId: id,
  memberIds: z.array(id).exactOptional(),
  botIds: z.array(id).exactOptional(),
  isForum: z.boolean().exactOptional(),
  id: id.exactOptional(),
});
const roomFilter: z.ZodType<RoomFilter> = z.strictObject({ chatId: id.exactOptional(), memberId: id.exactOptional() });
const roomAction: z.ZodType<RoomAction> = z.discriminatedUnion("action", [
  z.strictObject({
    chatId: id,
    action: z.literal("set-member"),
    memberId: id,
    byId: id.exactOptional(),
    status: z.enum(MEMBER_STATUSES),
    rights: z.record(z.string(), z.boolean()).exactOptional(),
    isAnonymous: z.boolean().exactOptional(),
    customTitle: z.string().exactOptional(),
  }),
  z.strictObject({ chatId: id, action: z.literal("rename"), byId: id, title: z.string().min(1).max(128) }),
  z.strictObject({ chatId: id, action: z.literal("pin"), byId: id, messageId: id }),
  z.strictObject({ chatId: id, action: z.literal("delete-message"), messageId: id }),
  z.strictObject({ chatId: id, action: z.literal("upgrade"), byId: id }),
  z.strictObject({ chatId: id, action: z.literal("delete") }),
  z.strictObject({ chatId: id, action: z.literal("link"), channelId: id }),
  z.strictObject({ chatId: id, action: z.literal("open-topic"), byId: id, name: topicName }),
  z.strictObject({ chatId: id, action: z.literal("rename-topic"), byId: id, topicId: id, name: topicName }),
  z.strictObject({
    chatId: id,
    action: z.enum(["close-topic", "reopen-topic", "delete-topic"]),
    byId: id,
    topicId: id,
  }),
]);
const roomLine: z.ZodType<RoomLine> = z.strictObject({
  chatId: id,
  authorId: id,
  guise: z.union([z.literal("anonymous"), id]).exactOptional(),
  text: z.string(),
  entities: z.array(entitySchema).exactOptional(),
  replyTo: id.exactOptional(),
  topicId: id.exactOptional(),
  quote: z.string().min(1).exactOptional(),
  media: mediaSchema.exactOptional(),
  album: z.string().exactOptional(),
});
const postEdit: z.ZodType<PostEdit> = z.strictObject({ chatId: id, authorId: id, messageId: id, text: z.string() });
const botChange: z.ZodType<BotChange> = z.strictObject({
  botId,
  abilities: botAbilitiesSchema.exactOptional(),
  hearsOtherBots: z.boolean().exactOptional(),
  trouble: z.enum(BOT_TROUBLES).exactOptional(),
});
const updatePush: z.ZodType<UpdatePush> = z.strictObject({ botId, update: z.record(z.string(), z.unknown()) });
const flood: z.ZodType<Flood> = z.strictObject({ botId, chatId: id.exactOptional(), retryAfterS: z.int().min(1) });

/** One entry for each method of the two parts of Control, by its name. */
export function buildRoomOperations(
  control: RoomControl & WorldControl,
  timeoutMs: z.ZodType<number>,
): Readonly<Record<keyof (RoomControl & WorldControl), Operation>> {
  const roomWait = z.strictObject({ chatId: id, afterSeq: id, timeoutMs });
  return {
    createRoom: async (request) => control.createRoom(roomSpec.parse(request)),
    readRooms: async (request) => control.readRooms(roomFilter.parse(request)),
    actInRoom: async (request) => control.actInRoom(roomAction.parse(request)),
    postLines: async (request) => control.postLines(z.array(roomLine).parse(request)),
    editPost: async (request) => control.editPost(postEdit.parse(request)),
    awaitRoom: async (request) => control.awaitRoom(roomWait.parse(request)),
    setBot: async (request) => control.setBot(botChange.parse(request)),
    pushUpdate: async (request) => control.pushUpdate(updatePush.parse(request)),
    flood: async (request) => control.flood(flood.parse(request)),
    setLimits: async (request) => control.setLimits(floodLimitsSchema.parse(request)),
    passTime: async (request) =>
      control.passTime(z.strictObject({ ms: z.number().min(0).max(TIME_LIMIT_MS) }).parse(request)),
  };
}
