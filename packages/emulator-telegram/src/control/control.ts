import type { BotSpec } from "../bots/bot.ts";
import type { Media } from "../chats/media.ts";
import type { ChatEvent, ChatMessage } from "../chats/message.ts";
import type { UserSpec } from "../chats/person.ts";
import type { Fault } from "../faults/fault.ts";
import type { CallCount, CallFilter, CallRecord } from "../records/call-record.ts";
import type { Entity } from "../text/entity.ts";
import type { AppControl } from "./app-control.ts";
import type { RoomControl, TopicState } from "./room-control.ts";
import type { WebhookControl } from "./webhook-control.ts";
import type { WorldControl } from "./world-control.ts";

/**
 * The side of the emulator that tests and benches use, flat so that it crosses a process border: plain JSON in
 * and out. The emulator implements it, the client speaks it over HTTP, and both give it the same objects as faces.
 * Every method rejects with an EmulatorError; a wait that runs out resolves with what there is.
 */
export interface Control extends RoomControl, WebhookControl, WorldControl, AppControl {
  addBot(spec: BotSpec): Promise<BotState>;
  readBot(bot: BotName): Promise<BotState>;
  /** From now on the token is nobody's: 401. */
  revokeBot(bot: BotName): Promise<void>;
  addUser(spec: UserSpec): Promise<void>;
  act(action: UserAction): Promise<void>;
  /** In one go, so that a waiting bot gets them in one answer; resolves with the message ids. */
  say(lines: readonly Line[]): Promise<readonly number[]>;
  editLine(edit: LineEdit): Promise<void>;
  /** The user deletes a message of the chat, for both; bots are not told. */
  eraseLine(erasure: LineErasure): Promise<void>;
  /** All chats there are, or those of one user and one bot. */
  readChats(filter: ChatFilter): Promise<readonly ChatHistory[]>;
  /** What happened in the chat after `afterSeq`, as soon as there is something, or nothing after `timeoutMs`. */
  awaitChat(wait: ChatWait): Promise<readonly ChatEvent[]>;
  /** A file by its id, its content in base64. */
  readFile(file: { readonly fileId: string }): Promise<FileCopy>;
  readRecord(filter: CallFilter): Promise<readonly CallRecord[]>;
  readCounts(): Promise<Readonly<Record<string, CallCount>>>;
  /** The number of accepted calls, when it has reached `count` or after `timeoutMs`. */
  awaitCalls(wait: { readonly method: string; readonly count: number; readonly timeoutMs: number }): Promise<number>;
  addFault(fault: Fault): Promise<number>;
  removeFault(removal: { readonly id: number; readonly end: "pass" | "cut" }): Promise<void>;
  clearFaults(): Promise<void>;
  awaitFault(wait: { readonly id: number; readonly count: number; readonly timeoutMs: number }): Promise<number>;
}

/** What is in a file. */
export interface FileCopy {
  readonly name?: string;
  readonly content: string;
}

/** Which bot; may be left out where there is only one. */
export interface BotName {
  readonly botId?: number;
}

export interface BotState {
  readonly id: number;
  readonly username: string;
  /** Updates it has not confirmed. */
  readonly pendingUpdates: number;
  /** Whether a getUpdates call of it waits. */
  readonly isPolling: boolean;
}

export type UserAction = BotName & { readonly userId: number } & (
    | {
        /** "start" begins the chat without a message; "deactivate" deletes the account. */
        readonly action: "start" | "block" | "unblock" | "deactivate";
      }
    | OwnTopicAction
  );

/** What a person does to the topics of the private chat. */
export type OwnTopicAction =
  | { readonly action: "open-topic"; readonly name: string }
  | { readonly action: "delete-topic"; readonly topicId: number };

export interface Line extends BotName {
  readonly userId: number;
  readonly text: string;
  readonly entities?: readonly Entity[];
  readonly replyTo?: number;
  /** Words of the message it replies to. */
  readonly quote?: string;
  /** The topic it is written in; that of the message it replies to, or none, if left out. */
  readonly topicId?: number;
  /** What is sent; the text is its caption then, and may be empty. */
  readonly media?: Media;
  /** Lines of one album have one; what it is called is the test's. */
  readonly album?: string;
}

export interface LineEdit extends BotName {
  readonly userId: number;
  readonly messageId: number;
  readonly text: string;
}

export interface LineErasure extends BotName {
  readonly userId: number;
  readonly messageId: number;
}

export interface ChatFilter extends BotName {
  readonly userId?: number;
}

export interface ChatHistory {
  readonly botId: number;
  readonly botUsername: string;
  readonly userId: number;
  readonly userFirstName: string;
  /** In the order they were opened, without deleted ones. */
  readonly topics: readonly TopicState[];
  readonly messages: readonly ChatMessage[];
}

export interface ChatWait extends BotName {
  readonly userId: number;
  readonly afterSeq: number;
  readonly timeoutMs: number;
}
