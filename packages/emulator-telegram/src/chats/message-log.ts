import type { Signal } from "@banyan/emulator-kit";
import { EmulatorError } from "../ports/error.ts";
import type { Entity } from "../text/entity.ts";
import {
  buildWireMessage,
  type ChatEvent,
  type ChatMessage,
  type MessageDraft,
  type WireChat,
  type WireMessage,
  type WireSender,
} from "./message.ts";

/** Far above any test, and small enough for the memory. */
export const CHAT_LIMIT_EVENTS = 100_000;
/** Where not everything is kept: enough for edits of recent messages. */
const FEW_MESSAGES = 64;

/** The messages of one chat and all that happened to them; what kind of chat it is, its heirs know. */
export abstract class MessageLog {
  readonly changed: Signal;
  readonly #messages = new Map<number, ChatMessage>();
  #events: ChatEvent[] = [];
  #lastSeq = 0;
  readonly #isExact: boolean;

  /** `isExact`: whether everything is kept for tests to read; else only the latest, for a bench. */
  constructor(changed: Signal, isExact: boolean) {
    this.changed = changed;
    this.#isExact = isExact;
  }

  abstract get profile(): WireChat;
  protected abstract nextMessageId(): number;
  protected abstract senderOf(message: ChatMessage): WireSender;
  /** For complaints. */
  protected abstract describe(): string;

  get lastSeq(): number {
    return this.#lastSeq;
  }

  find(messageId: number): ChatMessage | undefined {
    const message = this.#messages.get(messageId);
    return message?.isDeleted === true ? undefined : message;
  }

  add(draft: MessageDraft): ChatMessage {
    const { atMs, ...rest } = draft;
    const { text, entities } = draft;
    const messageId = this.nextMessageId();
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
    const wireReplied = replied && buildWireMessage(replied, this.profile, this.senderOf(replied));
    return buildWireMessage(message, this.profile, this.senderOf(message), wireReplied);
  }

  #store(kind: ChatEvent["kind"], message: ChatMessage, atMs: number): void {
    if (this.#isExact && this.#events.length >= CHAT_LIMIT_EVENTS) {
      const text = `keeping ${this.describe()}: ${CHAT_LIMIT_EVENTS} events; use the mode "counts"`;
      throw new EmulatorError("limit_reached", text);
    }
    const { messageId, author, authorId, text, entities } = message;
    this.#lastSeq += 1;
    this.#messages.set(messageId, message);
    const who = authorId === undefined ? { author } : { author, authorId };
    this.#events.push({ seq: this.#lastSeq, kind, messageId, ...who, text, entities, atMs });
    if (!this.#isExact) this.#forgetOld();
    this.changed.fire();
  }

  #forgetOld(): void {
    const [oldestId] = this.#messages.keys();
    if (this.#messages.size > FEW_MESSAGES && oldestId !== undefined) this.#messages.delete(oldestId);
    if (this.#events.length > 2 * FEW_MESSAGES) this.#events = this.#events.slice(-FEW_MESSAGES);
  }
}
