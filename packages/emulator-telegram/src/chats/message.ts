import type { Entity } from "../text/entity.ts";
import type { WireUser } from "./person.ts";

/** A message as a test reads it, with every version it had. */
export interface ChatMessage {
  readonly messageId: number;
  readonly author: "user" | "bot";
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly replyTo?: number;
  readonly replyMarkup?: unknown;
  /** All versions, the first as sent, the last as it stands. */
  readonly versions: readonly MessageVersion[];
  readonly isDeleted: boolean;
}

export interface MessageVersion {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly atMs: number;
}

/** What happened in a chat, in order; `seq` grows by one within the chat. */
export interface ChatEvent {
  readonly seq: number;
  readonly kind: "sent" | "edited" | "deleted";
  readonly messageId: number;
  readonly author: "user" | "bot";
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly atMs: number;
}

/** A Message of the Bot API, as far as text needs it. */
export interface WireMessage {
  readonly message_id: number;
  readonly from: WireUser;
  readonly chat: WireChat;
  readonly date: number;
  readonly edit_date?: number;
  readonly reply_to_message?: WireMessage;
  readonly text: string;
  readonly entities?: readonly Entity[];
  readonly reply_markup?: unknown;
}

export interface WireChat {
  readonly id: number;
  readonly type: "private";
  readonly first_name: string;
  readonly username?: string;
}

/** `replied` is the message it answers, built without one of its own: the Bot API nests one level only. */
export function buildWireMessage(
  message: ChatMessage,
  chat: WireChat,
  from: WireUser,
  replied?: WireMessage,
): WireMessage {
  const [first] = message.versions;
  const last = message.versions.at(-1);
  return {
    message_id: message.messageId,
    from,
    chat,
    date: toSeconds(first?.atMs ?? 0),
    ...(message.versions.length > 1 && { edit_date: toSeconds(last?.atMs ?? 0) }),
    ...(replied !== undefined && { reply_to_message: replied }),
    text: message.text,
    ...(message.entities.length > 0 && { entities: message.entities }),
    ...(message.replyMarkup !== undefined && { reply_markup: message.replyMarkup }),
  };
}

export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
