import type { ChatMessage } from "./chat-message.ts";

/** A message in the list. One of the person's own may be on its way, or refused with a reason. */
export interface ListedMessage extends ChatMessage {
  /** Of the list: a question and an answer may have the same id. */
  readonly key: string;
  readonly state: "sent" | "pending" | "failed";
  readonly problem?: string;
}

/** An answer being made. */
export interface GrowingAnswer {
  readonly turnId: string;
  readonly text: string;
  /** The turn is over; the message itself is about to arrive, or there is none. */
  readonly isEnded: boolean;
}

/** What the page shows. */
export interface Conversation {
  readonly messages: readonly ListedMessage[];
  readonly growing: readonly GrowingAnswer[];
}

export type ConversationChange =
  /** The person wrote a message; it is on its way. */
  | { readonly type: "written"; readonly id: string; readonly text: string; readonly at: number }
  | { readonly type: "accepted"; readonly id: string }
  | { readonly type: "failed"; readonly id: string; readonly problem: string }
  /** The person took a failed message back. */
  | { readonly type: "withdrawn"; readonly id: string }
  | { readonly type: "arrived"; readonly message: ChatMessage }
  /** History, complete from behind the message `afterKey`, or from as far back as it goes. */
  | { readonly type: "loaded"; readonly messages: readonly ChatMessage[]; readonly afterKey?: string | undefined }
  | { readonly type: "grew"; readonly turnId: string; readonly text: string }
  | { readonly type: "stopped_growing"; readonly turnId: string }
  /** A stopped answer was not followed by a message. */
  | { readonly type: "vanished"; readonly turnId: string };

export const EMPTY_CONVERSATION: Conversation = { messages: [], growing: [] };

/** Shown at once; older ones leave the page, not the history. */
const MOST_MESSAGES = 2_000;
/**
 * So many messages are read again after a gap. Messages may be heard in another order than the history has them, so
 * behind the last one heard there may be earlier ones that were not.
 */
const OVERLAP_MESSAGES = 32;

/** Pure: what the page shows after a change. */
export function changeConversation(conversation: Conversation, change: ConversationChange): Conversation {
  switch (change.type) {
    case "written": {
      const { id, text, at } = change;
      const written = { ...list({ id, role: "user", kind: "message", text, at }), state: "pending" as const };
      return withMessages(conversation, merge(conversation.messages, written));
    }
    case "accepted":
      return changeOwn(conversation, change.id, ({ problem: _, ...message }) => ({ ...message, state: "sent" }));
    case "failed":
      return changeOwn(conversation, change.id, (own) => ({ ...own, state: "failed", problem: change.problem }));
    case "withdrawn":
      return withMessages(
        conversation,
        conversation.messages.filter(({ key }) => key !== formatKey("user", change.id)),
      );
    case "arrived":
      return arrive(conversation, change.message);
    case "loaded":
      return { messages: reload(conversation.messages, change), growing: [] };
    default:
      return { ...conversation, growing: changeGrowing(conversation.growing, change) };
  }
}

/** The message to read the history from, after a gap; `undefined` for as far back as it goes. */
export function findReloadPoint({ messages }: Conversation): ListedMessage | undefined {
  return messages.filter(({ state }) => state === "sent").at(-OVERLAP_MESSAGES);
}

function arrive(conversation: Conversation, message: ChatMessage): Conversation {
  const messages = merge(conversation.messages, list(message));
  // The delivered message stands for what was growing; an aside in the middle of a turn does not.
  const growing =
    message.role === "assistant" ? conversation.growing.filter(({ isEnded }) => !isEnded) : conversation.growing;
  return withMessages({ messages, growing }, messages);
}

function reload(
  known: readonly ListedMessage[],
  { messages, afterKey }: Extract<ConversationChange, { type: "loaded" }>,
): readonly ListedMessage[] {
  const loaded = messages.map(list);
  const loadedKeys = new Set(loaded.map(({ key }) => key));
  const place = known.findIndex(({ key }) => key === afterKey);
  const before = known.slice(0, place + 1).filter(({ key }) => !loadedKeys.has(key));
  // What is not in the history yet is the person's own, on its way.
  const unsent = known.slice(place + 1).filter(({ key, state }) => state !== "sent" && !loadedKeys.has(key));
  return [...before, ...loaded, ...unsent].slice(-MOST_MESSAGES);
}

function changeGrowing(
  growing: readonly GrowingAnswer[],
  change: Extract<ConversationChange, { type: "grew" | "stopped_growing" | "vanished" }>,
): readonly GrowingAnswer[] {
  const { turnId } = change;
  switch (change.type) {
    case "grew": {
      const grown = { turnId, text: change.text, isEnded: false };
      const isKnown = growing.some((answer) => answer.turnId === turnId);
      return isKnown ? growing.map((answer) => (answer.turnId === turnId ? grown : answer)) : [...growing, grown];
    }
    case "stopped_growing":
      return growing.map((answer) => (answer.turnId === turnId ? { ...answer, isEnded: true } : answer));
    case "vanished":
      return growing.filter((answer) => answer.turnId !== turnId || !answer.isEnded);
  }
}

/** In its old place if it is known, else at the end. What was sent stays as it is. */
function merge(messages: readonly ListedMessage[], message: ListedMessage): readonly ListedMessage[] {
  const place = messages.findLastIndex(({ key }) => key === message.key);
  if (place < 0) return [...messages, message];
  return messages[place]?.state === "sent" ? messages : messages.with(place, message);
}

function changeOwn(
  conversation: Conversation,
  id: string,
  change: (own: ListedMessage) => ListedMessage,
): Conversation {
  const key = formatKey("user", id);
  const messages = conversation.messages.map((each) =>
    each.key === key && each.state !== "sent" ? change(each) : each,
  );
  return withMessages(conversation, messages);
}

function withMessages({ growing }: Conversation, messages: readonly ListedMessage[]): Conversation {
  return { messages: messages.slice(-MOST_MESSAGES), growing };
}

function list(message: ChatMessage): ListedMessage {
  return { ...message, key: formatKey(message.role, message.id), state: "sent" };
}

function formatKey(role: string, id: string): string {
  return `${role}:${id}`;
}
