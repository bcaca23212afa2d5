import type { Signal } from "@banyan/emulator-kit";
import { type APIMessage, MessageType } from "discord-api-types/v10";
import { EmulatorError } from "../ports/error.ts";
import { compareSnowflakes } from "../ports/snowflake.ts";

/** Far above any test, and small enough for the memory. */
export const CHANNEL_LIMIT_EVENTS = 100_000;
/** Where not everything is kept: enough for edits and history of what is recent. */
const FEW_MESSAGES = 256;

export interface MessageVersion {
  /** The content, then what the embeds say. */
  readonly text: string;
  readonly atMs: number;
  readonly message: APIMessage;
}

/** A message as a test reads it, with every version it had. */
export interface ChatMessage {
  readonly messageId: string;
  readonly authorId: string;
  readonly isBot: boolean;
  readonly text: string;
  /** As the API gives it now. */
  readonly message: APIMessage;
  /** The first as sent, the last as it stands. */
  readonly versions: readonly MessageVersion[];
  readonly isDeleted: boolean;
}

/** What happened in a channel, in order; `seq` grows by one within the channel. */
export interface ChatEvent {
  readonly seq: number;
  readonly kind: "sent" | "edited" | "deleted";
  readonly messageId: string;
  readonly authorId: string;
  readonly isBot: boolean;
  readonly text: string;
  readonly isEdit: boolean;
  readonly atMs: number;
  readonly message: APIMessage;
}

export interface Page {
  readonly before?: string;
  readonly after?: string;
  readonly around?: string;
  readonly limit: number;
}

/** The messages of one channel and all that happened to them. */
export class MessageLog {
  readonly changed: Signal;
  readonly #isExact: boolean;
  readonly #byId = new Map<string, ChatMessage>();
  #ids: string[] = [];
  #events: ChatEvent[] = [];
  #lastSeq = 0;
  #deletedCount = 0;

  /** `isExact`: whether everything is kept for tests to read; else only the latest, for a bench. */
  constructor(changed: Signal, isExact: boolean) {
    this.changed = changed;
    this.#isExact = isExact;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Undefined also for a message that was deleted. */
  find(messageId: string): APIMessage | undefined {
    const kept = this.#byId.get(messageId);
    return kept === undefined || kept.isDeleted ? undefined : kept.message;
  }

  add(message: APIMessage, atMs: number): void {
    const text = readText(message);
    const { id: messageId, author } = message;
    const who = { messageId, authorId: author.id, isBot: author.bot === true };
    this.#ids.push(messageId);
    this.#store("sent", { ...who, text, message, versions: [{ text, atMs, message }], isDeleted: false }, atMs);
  }

  edit(message: APIMessage, atMs: number): void {
    const old = this.#get(message.id);
    const text = readText(message);
    const earlier = this.#isExact ? old.versions : old.versions.slice(0, 1);
    this.#store("edited", { ...old, text, message, versions: [...earlier, { text, atMs, message }] }, atMs);
  }

  /** Changes what the message shows of others, such as its thread: no version of its own, and heard by nobody. */
  amend(message: APIMessage): void {
    this.#byId.set(message.id, { ...this.#get(message.id), message });
  }

  delete(messageId: string, atMs: number): void {
    this.#deletedCount += 1;
    this.#store("deleted", { ...this.#get(messageId), isDeleted: true }, atMs);
  }

  /** Every message in the order of its id, deleted ones too. */
  history(): ChatMessage[] {
    return this.#ids.map((id) => this.#get(id));
  }

  /** Newest first, as GET /channels/:id/messages gives them. */
  list({ before, after, around, limit }: Page): APIMessage[] {
    const live = this.#deletedCount === 0 ? this.#ids : this.#ids.filter((id) => !this.#get(id).isDeleted);
    const end = before === undefined ? live.length : findPlace(live, before);
    let from = Math.max(0, end - limit);
    if (after !== undefined) {
      const place = findPlace(live, after);
      from = live[place] === after ? place + 1 : place;
    } else if (around !== undefined) from = Math.max(0, findPlace(live, around) - Math.floor(limit / 2));
    const ids = before === undefined ? live.slice(from, from + limit) : live.slice(from, end);
    return ids.map((id) => this.#get(id).message).toReversed();
  }

  eventsAfter(seq: number): ChatEvent[] {
    const firstSeq = this.#lastSeq - this.#events.length + 1;
    return this.#events.slice(Math.max(0, seq + 1 - firstSeq));
  }

  #get(messageId: string): ChatMessage {
    const kept = this.#byId.get(messageId);
    if (kept === undefined) throw new EmulatorError("unknown_message", `reading message ${messageId}: it is not kept`);
    return kept;
  }

  #store(kind: ChatEvent["kind"], kept: ChatMessage, atMs: number): void {
    if (this.#isExact && this.#events.length >= CHANNEL_LIMIT_EVENTS) {
      const text = `keeping channel ${kept.message.channel_id}: ${CHANNEL_LIMIT_EVENTS} events; use the mode "counts"`;
      throw new EmulatorError("limit_reached", text);
    }
    const { messageId, authorId, isBot, text, message } = kept;
    this.#lastSeq += 1;
    this.#byId.set(messageId, kept);
    const isEdit = kind === "edited";
    this.#events.push({ seq: this.#lastSeq, kind, messageId, authorId, isBot, text, isEdit, atMs, message });
    if (!this.#isExact) this.#forgetOld();
    this.changed.fire();
  }

  #forgetOld(): void {
    if (this.#ids.length > 2 * FEW_MESSAGES) {
      for (const id of this.#ids.slice(0, -FEW_MESSAGES)) this.#byId.delete(id);
      this.#ids = this.#ids.slice(-FEW_MESSAGES);
    }
    if (this.#events.length > 2 * FEW_MESSAGES) this.#events = this.#events.slice(-FEW_MESSAGES);
  }
}

/** Whether somebody wrote it, rather than Discord (D54). */
export function isWritten({ type }: Pick<APIMessage, "type">): boolean {
  return WRITTEN_TYPES.includes(type);
}

const WRITTEN_TYPES: readonly MessageType[] = [
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
];

/** The content, then title, description and fields of each embed, a line each. */
export function readText({ content, embeds }: Pick<APIMessage, "content" | "embeds">): string {
  if (embeds.length === 0) return content;
  const lines = embeds.flatMap(({ title, description, fields = [] }) => [
    title,
    description,
    ...fields.map(({ name, value }) => `${name}: ${value}`),
  ]);
  return [content, ...lines].filter((line) => line !== undefined && line !== "").join("\n");
}

/** Where `id` stands, or would stand, among ids in ascending order. */
function findPlace(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareSnowflakes(ids[middle] ?? "", id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
