import { DraftHearing, type PressOptions, pressButton } from "./app.ts";
import type { QueryAnswer } from "./bots/query-list.ts";
import type { ChatDraft } from "./chats/draft-list.ts";
import type { FileMedia, Media } from "./chats/media.ts";
import type { ChatEvent, ChatMessage } from "./chats/message.ts";
import type { UserSpec } from "./chats/person.ts";
import type { Control, Line } from "./control/control.ts";
import type { TopicState } from "./control/room-control.ts";
import { Hearing, type HearOptions, type Matcher } from "./hearing.ts";
import { EmulatorError } from "./ports/error.ts";
import { buildFileMedia, type FileSpec, type HeardFile, openFile } from "./sent-file.ts";

/** A person in the private chat with one bot. */
export class TelegramUser {
  readonly id: number;
  readonly firstName: string;
  readonly #control: Control;
  /** Names the chat to the control. */
  readonly chat: { readonly userId: number; readonly botId?: number };
  readonly #hearing: Hearing;
  readonly #drafts: DraftHearing;

  /** By TelegramEmulator.user(). */
  constructor(control: Control, spec: UserSpec, botId: number | undefined) {
    this.id = spec.id;
    this.firstName = spec.firstName;
    this.#control = control;
    this.chat = { userId: spec.id, ...(botId !== undefined && { botId }) };
    this.#drafts = new DraftHearing(control, this.chat);
    this.#hearing = new Hearing({
      name: spec.firstName,
      awaitEvents: (afterSeq, timeoutMs) => control.awaitChat({ ...this.chat, afterSeq, timeoutMs }),
      readHistory: () => this.history(),
    });
  }

  /** Writes to the bot; resolves with the message's id. */
  async says(text: string, options: Pick<Line, "entities" | "replyTo" | "quote" | "topicId"> = {}): Promise<number> {
    return this.#say({ ...this.chat, text, ...options });
  }

  /** Sends a photo, a sticker or the like, with a caption where it takes one. */
  sends(media: Media, caption: string = ""): Promise<number> {
    return this.#say({ ...this.chat, text: caption, media });
  }

  sendsDocument(file: FileSpec, caption: string = ""): Promise<number> {
    return this.sends(buildFileMedia("document", file), caption);
  }

  sendsPhoto(file: FileSpec = {}, caption: string = ""): Promise<number> {
    return this.sends(buildFileMedia("photo", file), caption);
  }

  sendsVoice(file: FileSpec = {}): Promise<number> {
    return this.sends(buildFileMedia("voice", file));
  }

  /**
   * Sends several files as an album, which a bot gets as so many messages, the caption with the first. Pieces that come
   * later are sent with the same `name` once more.
   */
  sendsAlbum(
    files: readonly (FileSpec & { readonly kind?: FileMedia["kind"] })[],
    caption: string = "",
    name: string = `album of ${caption}`,
  ): Promise<readonly number[]> {
    const lines = files.map(({ kind = "photo", ...file }, index) => {
      return { ...this.chat, text: index === 0 ? caption : "", media: buildFileMedia(kind, file), album: name };
    });
    return this.#control.say(lines);
  }

  /** Resolves with the next file of the bot whose caption matches, opened; without a matcher one without a caption. */
  async hearsFile(caption: Matcher = "", options: HearOptions = {}): Promise<HeardFile> {
    const { messageId } = await this.hears(caption, options);
    const message = (await this.messages()).find((known) => known.messageId === messageId);
    const file = message && (await openFile(this.#control, message));
    if (file !== undefined) return file;
    throw new EmulatorError("unknown_file", `opening the file of message ${messageId}: it holds none`);
  }

  edits(messageId: number, text: string): Promise<void> {
    return this.#control.editLine({ ...this.chat, messageId, text });
  }

  /** Deletes a message, of either side, for both; the bot is not told. */
  erases(messageId: number): Promise<void> {
    return this.#control.eraseLine({ ...this.chat, messageId });
  }

  /** Begins the chat without writing, so that the bot may write. */
  starts(): Promise<void> {
    return this.#control.act({ ...this.chat, action: "start" });
  }

  blocks(): Promise<void> {
    return this.#control.act({ ...this.chat, action: "block" });
  }

  unblocks(): Promise<void> {
    return this.#control.act({ ...this.chat, action: "unblock" });
  }

  /** In a chat whose bot lets people do so; resolves with the topic's id, which is that of the message it begins with. */
  async opensTopic(name: string): Promise<number> {
    await this.#control.act({ ...this.chat, action: "open-topic", name });
    const opened = (await this.topics()).at(-1);
    if (opened === undefined) throw new EmulatorError("unreachable", "opening a topic: the emulator reported none");
    return opened.id;
  }

  /** With all its messages; the bot is not told. */
  deletesTopic(topicId: number): Promise<void> {
    return this.#control.act({ ...this.chat, action: "delete-topic", topicId });
  }

  /** The chat's topics as they stand now. */
  async topics(): Promise<readonly TopicState[]> {
    const [chat] = await this.#control.readChats(await this.#name());
    return chat?.topics ?? [];
  }

  /** Deletes the account, for every bot. */
  deactivates(): Promise<void> {
    return this.#control.act({ ...this.chat, action: "deactivate" });
  }

  /** The bot's messages as they stand in the chat now, without deleted ones. */
  messages(): Promise<readonly ChatMessage[]> {
    return this.#hearing.messages();
  }

  /** Every message of the chat, with all versions, deleted ones too. */
  async history(): Promise<readonly ChatMessage[]> {
    const [chat] = await this.#control.readChats(await this.#name());
    return chat?.messages ?? [];
  }

  /**
   * Resolves with the first thing the bot wrote or edited that matches and that this object has not heard yet,
   * now or as soon as it comes. What it passes over may be heard later.
   */
  hears(matcher: Matcher, options: HearOptions = {}): Promise<ChatEvent> {
    return this.#hearing.hears(matcher, options);
  }

  /** Resolves with the first draft that matches and came behind the one heard last, now or as soon as it is shown. */
  hearsDraft(matcher: string | RegExp, timeoutMs?: number): Promise<ChatDraft> {
    return this.#drafts.hears(matcher, timeoutMs);
  }

  /** The drafts that stand in the chat now. */
  drafts(): Promise<readonly ChatDraft[]> {
    return this.#control.readDrafts(this.chat);
  }

  /** Presses the button that stops the draft. */
  stopsDraft(): Promise<void> {
    return this.#control.stopDraft(this.chat);
  }

  /** Presses the newest button of that label; resolves with what the bot answered, undefined where it did not in time. */
  presses(label: string, { timeoutMs, ...options }: PressOptions = {}): Promise<QueryAnswer | undefined> {
    return pressButton(this.#control, { ...this.chat, label, ...options }, timeoutMs);
  }

  /** The chat in lines, for people who look for what went wrong. */
  transcript(): Promise<string> {
    return this.#hearing.transcript();
  }

  async #say(line: Line): Promise<number> {
    const [messageId] = await this.#control.say([line]);
    if (messageId === undefined)
      throw new EmulatorError("unreachable", "saying a line: the emulator gave no message id");
    return messageId;
  }

  /** The chat with its bot named, because a list of chats without one is of all bots. */
  async #name(): Promise<{ readonly userId: number; readonly botId: number }> {
    const botId = this.chat.botId ?? (await this.#control.readBot({})).id;
    return { userId: this.id, botId };
  }
}
