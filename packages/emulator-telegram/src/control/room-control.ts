import type { Media } from "../chats/media.ts";
import type { MemberStatus, RoomKind } from "../chats/membership.ts";
import type { ChatEvent, ChatMessage } from "../chats/message.ts";
import type { Entity } from "../text/entity.ts";

/** The part of Control that is about chats of many: groups, supergroups and channels. */
export interface RoomControl {
  createRoom(spec: RoomSpec): Promise<RoomState>;
  /** All rooms, or that one, or those that someone is in; with their messages. */
  readRooms(filter: RoomFilter): Promise<readonly RoomHistory[]>;
  /** Resolves with the room afterwards; for "upgrade" that is the new supergroup. */
  actInRoom(action: RoomAction): Promise<RoomState>;
  /** In one go; resolves with the message ids. */
  postLines(lines: readonly RoomLine[]): Promise<readonly number[]>;
  editPost(edit: PostEdit): Promise<void>;
  /** As awaitChat, in a room. */
  awaitRoom(wait: RoomWait): Promise<readonly ChatEvent[]>;
}

export interface RoomSpec {
  readonly kind: RoomKind;
  readonly title: string;
  /** A public name, without "@"; basic groups have none. */
  readonly username?: string;
  readonly creatorId: number;
  /** People who are in it from the beginning. */
  readonly memberIds?: readonly number[];
  /** Bots that the creator adds: as members in groups, as administrators in channels. */
  readonly botIds?: readonly number[];
  /** A supergroup that has topics. */
  readonly isForum?: boolean;
  /** A free one of the kind's range if left out. */
  readonly id?: number;
}

export interface RoomState {
  readonly chatId: number;
  readonly kind: RoomKind;
  readonly title: string;
  readonly username?: string;
  /** Also those who left or were removed. */
  readonly members: readonly RoomMember[];
  /** Of a forum, in the order they were opened, without deleted ones. */
  readonly topics: readonly TopicState[];
  readonly migratedTo?: number;
}

export interface TopicState {
  /** Of the message that it began with. */
  readonly id: number;
  readonly name: string;
  readonly iconColor: number;
  readonly iconEmojiId?: string;
  /** What that custom emoji looks like. */
  readonly icon?: string;
  readonly isClosed: boolean;
}

export interface RoomMember {
  readonly id: number;
  readonly firstName: string;
  readonly isBot: boolean;
  readonly status: MemberStatus;
}

export interface RoomHistory extends RoomState {
  readonly messages: readonly ChatMessage[];
}

export interface RoomFilter {
  readonly chatId?: number;
  readonly memberId?: number;
}

/** What a member does in a room, besides writing. */
export type RoomAction = { readonly chatId: number } & (
  | {
      readonly action: "set-member";
      /** A person or a bot. */
      readonly memberId: number;
      /** Who does it; the member itself if left out, as in joining and leaving. */
      readonly byId?: number;
      readonly status: MemberStatus;
      /** Rights of an administrator or a restricted member, by the Bot API's names, where they differ from the usual. */
      readonly rights?: Readonly<Record<string, boolean>>;
      readonly isAnonymous?: boolean;
      readonly customTitle?: string;
    }
  | { readonly action: "rename"; readonly byId: number; readonly title: string }
  | { readonly action: "pin"; readonly byId: number; readonly messageId: number }
  | { readonly action: "delete-message"; readonly messageId: number }
  /** A basic group becomes a supergroup. */
  | { readonly action: "upgrade"; readonly byId: number }
  /** The room is deleted for all. */
  | { readonly action: "delete" }
  /** Gives a supergroup its channel, whose posts come to it from now on. */
  | { readonly action: "link"; readonly channelId: number }
  | { readonly action: "open-topic"; readonly byId: number; readonly name: string }
  | { readonly action: "rename-topic"; readonly byId: number; readonly topicId: number; readonly name: string }
  | {
      readonly action: "close-topic" | "reopen-topic" | "delete-topic";
      readonly byId: number;
      readonly topicId: number;
    }
);

/** A message in a room. */
export interface RoomLine {
  readonly chatId: number;
  /** The person, or the bot that is no client of this emulator, who writes. */
  readonly authorId: number;
  /** How it shows: "anonymous" as the group itself, a channel's id as that channel; as the author if left out. */
  readonly guise?: "anonymous" | number;
  /** The caption where there is media. */
  readonly text: string;
  readonly entities?: readonly Entity[];
  readonly replyTo?: number;
  /** The topic it is written in; General's, or that of the message it replies to, if left out. */
  readonly topicId?: number;
  /** Words of the message it replies to. */
  readonly quote?: string;
  readonly media?: Media;
  /** Lines of one album have one; what it is called is the test's. */
  readonly album?: string;
}

export interface PostEdit {
  readonly chatId: number;
  readonly authorId: number;
  readonly messageId: number;
  readonly text: string;
}

export interface RoomWait {
  readonly chatId: number;
  readonly afterSeq: number;
  readonly timeoutMs: number;
}
