import type { MemberStatus, RoomKind } from "./chats/membership.ts";
import type { Control } from "./control/control.ts";
import type { RoomHistory, RoomState } from "./control/room-control.ts";
import { EmulatorError } from "./ports/error.ts";
import { formatTranscript } from "./records/transcript.ts";
import { type Account, TelegramMember } from "./telegram-member.ts";

/** What is special about an administrator or a restricted member. */
export interface StandingOptions {
  /** By the Bot API's names, where they differ from the usual ones. */
  readonly rights?: Readonly<Record<string, boolean>>;
  readonly isAnonymous?: boolean;
  readonly customTitle?: string;
}

/** A group, a supergroup or a channel, and what its people do with it. */
export class TelegramRoom {
  readonly chatId: number;
  readonly kind: RoomKind;
  readonly #control: Control;
  readonly #members = new Map<number, TelegramMember>();

  /** By TelegramEmulator.createRoom() or findRoom(). */
  constructor(control: Control, { chatId, kind }: Pick<RoomState, "chatId" | "kind">) {
    this.#control = control;
    this.chatId = chatId;
    this.kind = kind;
  }

  /** Someone as they stand in this room; asked again, the same object. */
  member(account: Account): TelegramMember {
    const member = this.#members.get(account.id) ?? new TelegramMember(this.#control, this.chatId, account);
    this.#members.set(account.id, member);
    return member;
  }

  joins(account: Account): Promise<RoomState> {
    return this.#setMember(account, "member", account);
  }

  leaves(account: Account): Promise<RoomState> {
    return this.#setMember(account, "left", account);
  }

  /** Bots too; also gives back what a restriction or a promotion changed. */
  adds(account: Account, by: Account): Promise<RoomState> {
    return this.#setMember(account, "member", by);
  }

  removes(account: Account, by: Account): Promise<RoomState> {
    return this.#setMember(account, "kicked", by);
  }

  /** In a supergroup; may send nothing if no rights are given. */
  restricts(account: Account, by: Account, options: StandingOptions = {}): Promise<RoomState> {
    return this.#setMember(account, "restricted", by, options);
  }

  /** Makes an administrator. */
  promotes(account: Account, by: Account, options: StandingOptions = {}): Promise<RoomState> {
    return this.#setMember(account, "administrator", by, options);
  }

  renames(title: string, by: Account): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "rename", byId: by.id, title });
  }

  pins(messageId: number, by: Account): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "pin", byId: by.id, messageId });
  }

  /** Deletes a message; bots are not told. */
  erases(messageId: number): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "delete-message", messageId });
  }

  /** Deletes the room itself. */
  dissolves(): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "delete" });
  }

  /** Makes a basic group a supergroup; resolves with that, which has another id. */
  async upgrades(by: Account): Promise<TelegramRoom> {
    const state = await this.#control.actInRoom({ chatId: this.chatId, action: "upgrade", byId: by.id });
    return new TelegramRoom(this.#control, state);
  }

  /** Posts of the channel come to this supergroup from now on. */
  links(channel: TelegramRoom): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "link", channelId: channel.chatId });
  }

  /** In a forum; resolves with the topic's id, which is that of the message it begins with. */
  async opensTopic(name: string, by: Account): Promise<number> {
    const { topics } = await this.#control.actInRoom({ chatId: this.chatId, action: "open-topic", byId: by.id, name });
    const opened = topics.at(-1);
    if (opened === undefined) throw new EmulatorError("unreachable", "opening a topic: the emulator reported none");
    return opened.id;
  }

  renamesTopic(topicId: number, name: string, by: Account): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "rename-topic", byId: by.id, topicId, name });
  }

  closesTopic(topicId: number, by: Account): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "close-topic", byId: by.id, topicId });
  }

  reopensTopic(topicId: number, by: Account): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "reopen-topic", byId: by.id, topicId });
  }

  /** With all its messages. */
  deletesTopic(topicId: number, by: Account): Promise<RoomState> {
    return this.#control.actInRoom({ chatId: this.chatId, action: "delete-topic", byId: by.id, topicId });
  }

  /** The room with all its messages, whoever may see them. */
  async history(): Promise<RoomHistory> {
    const [room] = await this.#control.readRooms({ chatId: this.chatId });
    if (room !== undefined) return room;
    throw new EmulatorError("unknown_chat", `reading room ${this.chatId}: the emulator has none such`);
  }

  async transcript(): Promise<string> {
    const { title, messages } = await this.history();
    return formatTranscript(title, messages);
  }

  #setMember(account: Account, status: MemberStatus, by: Account, options: StandingOptions = {}): Promise<RoomState> {
    const { chatId } = this;
    return this.#control.actInRoom({
      chatId,
      action: "set-member",
      memberId: account.id,
      byId: by.id,
      status,
      ...options,
    });
  }
}
