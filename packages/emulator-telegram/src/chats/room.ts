import type { Signal } from "@banyan/emulator-kit";
import { isMember, type Membership, type RoomKind } from "./membership.ts";
import type { ChatMessage, MessageDraft, WireChat, WireSender } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import { buildTopicFields, type Topic } from "./topic.ts";

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
  readonly #topics = new Map<number, Topic>();
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
    return this.#topics;
  }

  /** Its id is that of the message to be added next, which tells of it. */
  addTopic(topic: Omit<Topic, "id">): Topic {
    return this.setTopic({ ...topic, id: this.#lastMessageId + 1 });
  }

  setTopic(topic: Topic): Topic {
    this.#topics.set(topic.id, topic);
    return topic;
  }

  /**
   * In a supergroup an answer belongs to the thread that its first message opened; that makes it no topic. Where there are
   * topics it belongs to that of the message it answers, and what answers nothing there "answers" the topic's beginning.
   */
  override add(draft: MessageDraft): ChatMessage {
    const thread = this.kind === "supergroup" ? this.#findThread(draft) : undefined;
    if (thread === undefined) return super.add(draft);
    const topic = this.#topics.get(thread);
    if (topic === undefined) return super.add({ ...draft, extra: { message_thread_id: thread, ...draft.extra } });
    const isBeginning = this.#lastMessageId + 1 === topic.id;
    const replyTo = draft.replyTo ?? (isBeginning ? undefined : topic.id);
    const extra = { ...buildTopicFields(topic), ...draft.extra };
    return super.add({ ...draft, extra, ...(replyTo !== undefined && { replyTo }) });
  }

  #findThread({ replyTo, extra }: MessageDraft): number | undefined {
    if (typeof extra?.message_thread_id === "number") return extra.message_thread_id;
    const replied = replyTo === undefined ? undefined : this.find(replyTo);
    const thread = replied?.extra?.message_thread_id;
    return typeof thread === "number" ? thread : replied?.messageId;
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
