import { EmulatorError } from "../ports/error.ts";
import type { Signal } from "../ports/signal.ts";
import type { Entity } from "../text/entity.ts";
import { buildWireMessage, type ChatEvent, type ChatMessage, type WireChat, type WireMessage } from "./message.ts";
import type { Person, WireUser } from "./person.ts";

/** Far above any test, and small enough for the memory. */
export const CHAT_LIMIT_EVENTS = 100_000;
/** Where not everything is kept: enough for edits of recent messages. */
const FEW_MESSAGES = 64;

/** What a chat needs of the bot's account: who it is, and the numbers of its messages. */
export interface ChatAccount {
  readonly profile: WireUser;
  nextMessageId(): number;
}

export interface MessageDraft {
  readonly author: "user" | "bot";
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly replyTo?: number;
  readonly replyMarkup?: unknown;
  readonly atMs: number;
}

/** The private chat of one person with one bot: its messages and all that happened to them. */
export class Chat {
  readonly bot: ChatAccount;
  readonly person: Person;
  readonly changed: Signal;
  /** Whether the person has written or pressed Start; before that the bot may not write. */
  isStarted = false;
  isBlocked = false;
  readonly #messages = new Map<number, ChatMessage>();
  #events: ChatEvent[] = [];
  #lastSeq = 0;
  readonly #isExact: boolean;

  /** `isExact`: whether everything is kept for tests to read; else only the latest, for a bench. */
  constructor(bot: ChatAccount, person: Person, changed: Signal, isExact: boolean) {
    this.bot = bot;
    this.person = person;
    this.changed = changed;
    this.#isExact = isExact;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get profile(): WireChat {
    const { id, first_name, username } = this.person.profile;
    return { id, type: "private", first_name, ...(username !== undefined && { username }) };
  }

  find(messageId: number): ChatMessage | undefined {
    const message = this.#messages.get(messageId);
    return message?.isDeleted === true ? undefined : message;
  }

  add(draft: MessageDraft): ChatMessage {
    const { atMs, ...rest } = draft;
    const { text, entities } = draft;
    const messageId = this.bot.nextMessageId();
    const message: ChatMessage = { messageId, ...rest, versions: [{ text, entities, atMs }], isDeleted: false };
    this.#store("sent", message, atMs);
    return message;
  }

  edit(old: ChatMessage, text: string, entities: readonly Entity[], replyMarkup: unknown, atMs: number): ChatMessage {
    const { replyMarkup: _, ...rest } = old;
    const versions = [...(this.#isExact ? old.versions : old.versions.slice(0, 1)), { text, entities, atMs }];
    const message: ChatMessage = {
      ...rest,
      text,
      entities,
      versions,
      ...(replyMarkup !== undefined && { replyMarkup }),
    };
    this.#store("edited", message, atMs);
    return message;
  }

  delete(old: ChatMessage, atMs: number): void {
    this.#store("deleted", { ...old, isDeleted: true }, atMs);
  }

  /** Every message in the order of its id, deleted ones too. */
  messages(): ChatMessage[] {
    return [...this.#messages.values()];
  }

  eventsAfter(seq: number): ChatEvent[] {
    const firstSeq = this.#lastSeq - this.#events.length + 1;
    return this.#events.slice(Math.max(0, seq + 1 - firstSeq));
  }

  buildWire(message: ChatMessage): WireMessage {
    const replied = message.replyTo === undefined ? undefined : this.find(message.replyTo);
    const wireReplied = replied && buildWireMessage(replied, this.profile, this.#authorOf(replied));
    return buildWireMessage(message, this.profile, this.#authorOf(message), wireReplied);
  }

  #authorOf(message: ChatMessage): WireUser {
    return message.author === "bot" ? this.bot.profile : this.person.profile;
  }

  #store(kind: ChatEvent["kind"], message: ChatMessage, atMs: number): void {
    if (this.#isExact && this.#events.length >= CHAT_LIMIT_EVENTS) {
      const chat = `the chat of ${this.person.profile.first_name} with @${this.bot.profile.username}`;
      throw new EmulatorError("limit_reached", `keeping ${chat}: ${CHAT_LIMIT_EVENTS} events; use the mode "counts"`);
    }
    const { messageId, author, text, entities } = message;
    this.#lastSeq += 1;
    this.#messages.set(messageId, message);
    this.#events.push({ seq: this.#lastSeq, kind, messageId, author, text, entities, atMs });
    if (!this.#isExact) this.#forgetOld();
    this.changed.fire();
  }

  #forgetOld(): void {
    const [oldestId] = this.#messages.keys();
    if (this.#messages.size > FEW_MESSAGES && oldestId !== undefined) this.#messages.delete(oldestId);
    if (this.#events.length > 2 * FEW_MESSAGES) this.#events = this.#events.slice(-FEW_MESSAGES);
  }
}
