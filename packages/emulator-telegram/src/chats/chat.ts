import type { Signal } from "@banyan/emulator-kit";
import { DraftList } from "./draft-list.ts";
import type { ChatMessage, WireChat, WireSender } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import type { Person, WireUser } from "./person.ts";

/** What a chat needs of the bot's account: who it is, and the numbers of its messages. */
export interface ChatAccount {
  readonly profile: WireUser;
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

  protected nextMessageId(): number {
    return this.bot.nextMessageId();
  }

  protected senderOf(message: ChatMessage): WireSender {
    return { from: message.author === "bot" ? this.bot.profile : this.person.profile };
  }

  protected describe(): string {
    return `the chat of ${this.person.profile.first_name} with @${this.bot.profile.username}`;
  }
}
