import type { Entity } from "../text/entity.ts";
import type { WireUser } from "./person.ts";

/** Fields as the Bot API names them. */
export type WireFields = Readonly<Record<string, unknown>>;

/** A message as a test reads it, with every version it had. */
export interface ChatMessage {
  readonly messageId: number;
  readonly author: "user" | "bot";
  /** Of a message with content this is the caption. */
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly replyTo?: number;
  readonly replyMarkup?: unknown;
  /** Who it shows as its sender, in a room; in a private chat the author says it. */
  readonly sender?: WireSender;
  /** The person or bot who wrote it, also where it shows as someone else; absent in a private chat. */
  readonly authorId?: number;
  /** What it carries in place of text: a photo, a contact, a service message. */
  readonly content?: WireFields;
  /** Further fields of the Bot API's Message: quote, thread, origin of a forward. */
  readonly extra?: WireFields;
  /** All versions, the first as sent, the last as it stands. */
  readonly versions: readonly MessageVersion[];
  readonly isDeleted: boolean;
}

export interface MessageVersion {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly atMs: number;
}

export interface MessageDraft {
  readonly author: "user" | "bot";
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly replyTo?: number;
  readonly replyMarkup?: unknown;
  readonly sender?: WireSender;
  readonly authorId?: number;
  readonly content?: WireFields;
  readonly extra?: WireFields;
  readonly atMs: number;
}

/** What happened in a chat, in order; `seq` grows by one within the chat. */
export interface ChatEvent {
  readonly seq: number;
  readonly kind: "sent" | "edited" | "deleted";
  readonly messageId: number;
  readonly author: "user" | "bot";
  /** As in ChatMessage. */
  readonly authorId?: number;
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly atMs: number;
}

/** A Message of the Bot API: what each has, and the fields of its kind. */
export interface WireMessage {
  readonly message_id: number;
  readonly chat: WireChat;
  readonly date: number;
  readonly [field: string]: unknown;
}

/** A Chat of the Bot API: a person's names in a private one, a title in the others. */
export interface WireChat {
  readonly id: number;
  readonly type: "private" | "group" | "supergroup" | "channel";
  readonly title?: string;
  readonly first_name?: string;
  readonly username?: string;
  /** A supergroup with topics. */
  readonly is_forum?: true;
}

/** Who a message shows as its sender: a user, a chat, or a chat behind one of the service's own accounts. */
export interface WireSender {
  readonly from?: WireUser;
  readonly sender_chat?: WireChat;
  readonly author_signature?: string;
}

/** `replied` is the message it answers, built without one of its own: the Bot API nests one level only. */
export function buildWireMessage(
  message: ChatMessage,
  chat: WireChat,
  sender: WireSender,
  replied?: WireMessage,
): WireMessage {
  const [first] = message.versions;
  const last = message.versions.at(-1);
  const { content, entities } = message;
  return {
    message_id: message.messageId,
    ...sender,
    chat,
    date: toSeconds(first?.atMs ?? 0),
    ...(message.versions.length > 1 && { edit_date: toSeconds(last?.atMs ?? 0) }),
    ...(replied !== undefined && { reply_to_message: replied }),
    ...message.extra,
    ...(content === undefined
      ? { text: message.text, ...(entities.length > 0 && { entities }) }
      : {
          ...content,
          ...(message.text !== "" && { caption: message.text }),
          ...(entities.length > 0 && { caption_entities: entities }),
        }),
    ...(message.replyMarkup !== undefined && { reply_markup: message.replyMarkup }),
  };
}

/** Whether the bot wrote it; a private chat has one bot only. */
export function isOwn({ author, authorId }: ChatMessage, botId: number): boolean {
  return author === "bot" && (authorId === undefined || authorId === botId);
}

export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
