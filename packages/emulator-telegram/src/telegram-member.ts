import { type PressOptions, pressButton } from "./app.ts";
import type { QueryAnswer } from "./bots/query-list.ts";
import type { Media } from "./chats/media.ts";
import type { ChatEvent, ChatMessage } from "./chats/message.ts";
import type { Control } from "./control/control.ts";
import type { RoomLine } from "./control/room-control.ts";
import { Hearing, type HearOptions, type Matcher } from "./hearing.ts";
import { EmulatorError } from "./ports/error.ts";

/** A person, or a bot that a test plays itself, by its id. */
export interface Account {
  readonly id: number;
  readonly firstName?: string;
}

/** How a line in a room is written. */
export interface RoomLineOptions extends Pick<RoomLine, "entities" | "replyTo" | "quote" | "topicId"> {
  /** "anonymous": as the group itself; a channel's id: as that channel. */
  readonly as?: "anonymous" | number;
}

/** Someone in a room: a group, a supergroup or a channel. */
export class TelegramMember {
  readonly #control: Control;
  readonly #account: Account;
  readonly #chatId: number;
  readonly #hearing: Hearing;

  /** By TelegramRoom.member(). */
  constructor(control: Control, chatId: number, account: Account) {
    this.#control = control;
    this.#account = account;
    this.#chatId = chatId;
    this.#hearing = new Hearing({
      name: account.firstName ?? `account ${account.id}`,
      awaitEvents: (afterSeq, timeoutMs) => control.awaitRoom({ chatId, afterSeq, timeoutMs }),
      readHistory: () => this.history(),
    });
  }

  /** Writes in the room, or posts in the channel; resolves with the message's id. */
  says(text: string, options: RoomLineOptions = {}): Promise<number> {
    return this.#post(text, options);
  }

  /** Sends a photo, a sticker or the like, with a caption where it takes one. */
  sends(media: Media, caption: string = "", options: RoomLineOptions = {}): Promise<number> {
    return this.#post(caption, options, media);
  }

  edits(messageId: number, text: string): Promise<void> {
    return this.#control.editPost({ chatId: this.#chatId, authorId: this.#account.id, messageId, text });
  }

  /** As TelegramUser.presses. */
  presses(label: string, { timeoutMs, ...options }: PressOptions = {}): Promise<QueryAnswer | undefined> {
    return pressButton(this.#control, { userId: this.#account.id, chatId: this.#chatId, label, ...options }, timeoutMs);
  }

  /** As TelegramUser.hears, of the bots in the room; rejects for who is not in it. */
  async hears(matcher: Matcher, options: HearOptions = {}): Promise<ChatEvent> {
    await this.history();
    return this.#hearing.hears(matcher, options);
  }

  /** The bots' messages as they stand in the room now. */
  messages(): Promise<readonly ChatMessage[]> {
    return this.#hearing.messages();
  }

  /** What this member sees of the room: every message with all versions; rejects for who is not in it. */
  async history(): Promise<readonly ChatMessage[]> {
    const [room] = await this.#control.readRooms({ chatId: this.#chatId, memberId: this.#account.id });
    if (room !== undefined) return room.messages;
    const who = this.#account.firstName ?? `account ${this.#account.id}`;
    throw new EmulatorError("unknown_chat", `looking into room ${this.#chatId}: ${who} is not in it`);
  }

  transcript(): Promise<string> {
    return this.#hearing.transcript();
  }

  async #post(text: string, { as, ...options }: RoomLineOptions, media?: Media): Promise<number> {
    const line: RoomLine = {
      chatId: this.#chatId,
      authorId: this.#account.id,
      text,
      ...options,
      ...(as !== undefined && { guise: as }),
      ...(media !== undefined && { media }),
    };
    const [messageId] = await this.#control.postLines([line]);
    if (messageId === undefined) throw new EmulatorError("unreachable", "posting: the emulator gave no message id");
    return messageId;
  }
}
