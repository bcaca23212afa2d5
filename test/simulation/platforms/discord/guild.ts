/** The one server, its channels, and who the bot is there. Ids are numbers, as Discord's. */
import type { Address } from "@banyan/plugin-sdk";
import { formatPlaceAddress, type MessagePlace } from "../../../../plugins/discord/src/inbound/message-place.ts";

export const GUILD = "7000";
/** The operator lets people talk in the grove, and nobody in the cellar. */
export const GROVE = "7001";
export const CELLAR = "7002";
export const BOT = "900";
const ACCOUNT = "grove";

/** A channel, a thread or a direct chat, which has the id of its person. */
export interface Room {
  readonly place: MessagePlace;
  readonly messages: RoomMessage[];
  name: string;
  isArchived: boolean;
  isLocked: boolean;
}

export interface RoomMessage {
  readonly id: string;
  readonly authorId: string;
  content: string;
  /** Where a thread stands on it. */
  thread?: string;
  /** The part of a delivery that it is. */
  row?: string;
}

export function addressOfRoom({ place }: Room): Address {
  return formatPlaceAddress(ACCOUNT, place);
}

export function createRoom(place: MessagePlace, name: string): Room {
  return { place, name, messages: [], isArchived: false, isLocked: false };
}

const TYPES = { dm: 1, channel: 0, thread: 11 } as const;

/** As Discord tells of a channel. */
export function formatChannel({ place, name, messages, isArchived, isLocked }: Room): object {
  const { kind, channelId } = place;
  return {
    id: channelId,
    type: TYPES[kind],
    name,
    last_message_id: messages.at(-1)?.id ?? null,
    ...(kind !== "dm" && { guild_id: GUILD }),
    ...(kind === "thread" && {
      parent_id: place.parentId,
      owner_id: BOT,
      thread_metadata: { archived: isArchived, locked: isLocked },
    }),
  };
}

/** As Discord's history tells of a message; the gateway says a little more. */
export function formatMessage({ place }: Room, { id, authorId, content, thread }: RoomMessage): object {
  return {
    id,
    channel_id: place.channelId,
    type: 0,
    content,
    author: { id: authorId, username: `user ${authorId}`, ...(authorId === BOT && { bot: true }) },
    ...(thread !== undefined && { thread: { id: thread } }),
  };
}
