import type { Signal } from "@banyan/emulator-kit";
import { DraftList } from "./draft-list.ts";
import type { ChatMessage, MessageDraft, WireChat, WireSender } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import type { Person, WireUser } from "./person.ts";
import type { Topic } from "./topic.ts";
import { findNamedThread, TopicList } from "./topic-list.ts";

/** What a chat needs of the bot's account: who it is, and the numbers of its messages. */
export interface ChatAccount {
  readonly profile: WireUser;
  readonly abilities: { readonly has_topics_enabled: boolean };
  /** Of the message that came last, in any chat. */
  readonly lastMessageId: number;
  nextMessageId(): number;
}

/** The private chat of one person with one bot. */
export class Chat extends MessageLog {
  readonly kind = "private" as const;
  readonly bot: ChatAccount;
  readonly person: Person;
  readonly drafts: DraftList;
  /** Whether the person has written or pressed Start; before that the bot may not write. */
  isStarted = false;
  isBlocked = false;
  readonly #topics = new TopicList();

  /** `isExact` as in MessageLog. */
  constructor(bot: ChatAccount, person: Person, changed: Signal, isExact: boolean) {
    super(changed, isExact);
    this.bot = bot;
    this.person = person;
    this.drafts = new DraftList(changed);
  }

  get profile(): WireChat {
    const { id, first_name, username } = this.person.profile;
    return { id, type: "private", first_name, ...(username !== undefined && { username }) };
  }

  /** Whether it has topics, as the bot decides for all its private chats. */
  get isForum(): boolean {
    return this.bot.abilities.has_topics_enabled;
  }

  /** As a room's. */
  get topics(): ReadonlyMap<number, Topic> {
    return this.#topics.all;
  }

  /** As a room's. */
  addTopic(topic: Omit<Topic, "id">): Topic {
    return this.setTopic({ ...topic, id: this.bot.lastMessageId + 1 });
  }

  setTopic(topic: Topic): Topic {
    return this.#topics.set(topic);
  }

  /** Without a topic it belongs to that of the message it answers, if that has one. */
  override add(draft: MessageDraft): ChatMessage {
    const replied = draft.replyTo === undefined ? undefined : this.find(draft.replyTo);
    const thread = findNamedThread(draft) ?? (replied && findNamedThread(replied));
    return super.add(thread === undefined ? draft : this.#topics.place(draft, thread, this.bot.lastMessageId + 1));
  }

  protected nextMessageId(): number {
    return this.bot.nextMessageId();
  }

  protected senderOf(message: ChatMessage): WireSender {
    return message.sender ?? { from: message.author === "bot" ? this.bot.profile : this.person.profile };
  }

  protected describe(): string {
    return `the chat of ${this.person.profile.first_name} with @${this.bot.profile.username}`;
  }
}
