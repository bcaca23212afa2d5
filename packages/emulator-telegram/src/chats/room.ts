import type { Signal } from "@banyan/emulator-kit";
import { isMember, type Membership, type RoomKind } from "./membership.ts";
import type { ChatMessage, MessageDraft, WireChat, WireSender } from "./message.ts";
import { MessageLog } from "./message-log.ts";

/** What a room is from its beginning. */
export interface RoomIdentity {
  readonly id: number;
  readonly kind: RoomKind;
  readonly title: string;
  readonly username?: string;
}

/** A chat of many: a basic group, a supergroup or a channel. All its messages have numbers of its own. */
export class Room extends MessageLog {
  readonly id: number;
  readonly kind: RoomKind;
  readonly username: string | undefined;
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
  #lastMessageId = 0;

  /** `isExact` as in MessageLog. */
  constructor(identity: RoomIdentity, changed: Signal, isExact: boolean) {
    super(changed, isExact);
    this.id = identity.id;
    this.kind = identity.kind;
    this.title = identity.title;
    this.username = identity.username;
  }

  get profile(): WireChat {
    const { id, kind, title, username } = this;
    return { id, type: kind, title, ...(username !== undefined && { username }) };
  }

  get memberCount(): number {
    return [...this.members.values()].filter(isMember).length;
  }

  /** In a supergroup an answer belongs to the thread that its first message opened; that makes it no topic. */
  override add(draft: MessageDraft): ChatMessage {
    const thread = this.kind === "supergroup" ? this.#findThread(draft.replyTo) : undefined;
    if (thread === undefined) return super.add(draft);
    return super.add({ ...draft, extra: { message_thread_id: thread, ...draft.extra } });
  }

  #findThread(replyTo: number | undefined): number | undefined {
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
