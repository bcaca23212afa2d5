import type { Signal } from "@banyan/emulator-kit";
import { isMember, type Membership, type RoomKind } from "./membership.ts";
import type { ChatMessage, MessageDraft, WireChat, WireSender } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import type { Topic } from "./topic.ts";
import { findNamedThread, TopicList } from "./topic-list.ts";

/** What a room is from its beginning. */
export interface RoomIdentity {
  readonly id: number;
  readonly kind: RoomKind;
  readonly title: string;
  readonly username?: string;
  /** A supergroup that has topics. */
  readonly isForum?: boolean;
}

/** A chat of many: a basic group, a supergroup or a channel. All its messages have numbers of its own. */
export class Room extends MessageLog {
  readonly id: number;
  readonly kind: RoomKind;
  readonly username: string | undefined;
  readonly isForum: boolean;
  title: string;
  /** Standing of all who are or were there, by id. */
  readonly members: Map<number, Membership> = new Map();
  /** The supergroup that took a basic group's place. */
  migratedTo: number | undefined;
  isDeleted = false;
  /** A channel's discussion group, or a group's channel. */
  linkedId: number | undefined;
  /** The bot that wrote last; it alone gets bare commands in privacy mode. */
  lastBotId: number | undefined;
  readonly #topics = new TopicList();
  #lastMessageId = 0;

  /** `isExact` as in MessageLog. */
  constructor(identity: RoomIdentity, changed: Signal, isExact: boolean) {
    super(changed, isExact);
    this.id = identity.id;
    this.kind = identity.kind;
    this.title = identity.title;
    this.username = identity.username;
    this.isForum = identity.isForum ?? false;
  }

  get profile(): WireChat {
    const { id, kind, title, username } = this;
    const forum = this.isForum && { is_forum: true as const };
    return { id, type: kind, title, ...(username !== undefined && { username }), ...forum };
  }

  get memberCount(): number {
    return [...this.members.values()].filter(isMember).length;
  }

  /** By their ids, deleted ones too. */
  get topics(): ReadonlyMap<number, Topic> {
    return this.#topics.all;
  }

  /** Its id is that of the message to be added next, which tells of it. */
  addTopic(topic: Omit<Topic, "id">): Topic {
    return this.setTopic({ ...topic, id: this.#lastMessageId + 1 });
  }

  setTopic(topic: Topic): Topic {
    return this.#topics.set(topic);
  }

  /**
   * In a supergroup an answer belongs to the thread that its first message opened; that makes it no topic. Where there are
   * topics it belongs to that of the message it answers.
   */
  override add(draft: MessageDraft): ChatMessage {
    const thread = this.kind === "supergroup" ? this.#findThread(draft) : undefined;
    return super.add(thread === undefined ? draft : this.#topics.place(draft, thread, this.#lastMessageId + 1));
  }

  #findThread(draft: MessageDraft): number | undefined {
    const replied = draft.replyTo === undefined ? undefined : this.find(draft.replyTo);
    return findNamedThread(draft) ?? (replied && (findNamedThread(replied) ?? replied.messageId));
  }

  protected nextMessageId(): number {
    this.#lastMessageId += 1;
    return this.#lastMessageId;
  }

  protected senderOf(message: ChatMessage): WireSender {
    return message.sender ?? {};
  }

  protected describe(): string {
    return `the ${this.kind} ${this.title}`;
  }
}
