import { awaitChat, type ChatHistory, react, readChat } from "./control/chat-operations.ts";
import { deleteLine, editLine, type Line, type LineOptions, say } from "./control/line-operations.ts";
import type { Control } from "./control/operation.ts";
import type { Place } from "./control/place.ts";
import { Hearing, type HearOptions, type Matcher } from "./hearing.ts";
import { EmulatorError } from "./ports/error.ts";
import type { ChatEvent, ChatMessage } from "./world/message-log.ts";

/** A person in one DM, channel or thread. */
export class DiscordChat {
  readonly #control: Control;
  readonly #place: Place;
  readonly #hearing: Hearing;

  /** By DiscordUser.dm() or DiscordUser.in(). */
  constructor(control: Control, username: string, place: Place) {
    this.#control = control;
    this.#place = place;
    this.#hearing = new Hearing({
      name: username,
      awaitEvents: (afterSeq, timeoutMs) => control.call(awaitChat, { ...place, afterSeq, timeoutMs }),
      readHistory: () => this.history(),
    });
  }

  /** Writes; resolves with the message's id. `<@id>` and `<@&id>` in the text ping, and so does a reply. */
  async says(text: string, options: LineOptions = {}): Promise<string> {
    const [messageId] = await this.#control.call(say, [this.line(text, options)]);
    if (messageId === undefined)
      throw new EmulatorError("unreachable", "saying a line: the emulator gave no message id");
    return messageId;
  }

  /** A line for DiscordEmulator.sayAll. */
  line(text: string, options: LineOptions = {}): Line {
    return { ...this.#place, text, ...options };
  }

  edits(messageId: string, text: string): Promise<void> {
    return this.#control.call(editLine, { ...this.#place, messageId, text });
  }

  /** Its own message, or any where it may manage messages. */
  deletes(messageId: string): Promise<void> {
    return this.#control.call(deleteLine, { ...this.#place, messageId });
  }

  reacts(messageId: string, emoji: string): Promise<void> {
    return this.#control.call(react, { ...this.#place, messageId, emoji, isOff: false });
  }

  unreacts(messageId: string, emoji: string): Promise<void> {
    return this.#control.call(react, { ...this.#place, messageId, emoji, isOff: true });
  }

  /**
   * Resolves with the first thing a bot wrote or edited here that matches and that this object has not heard yet,
   * now or as soon as it comes. What it passes over may be heard later.
   */
  hears(matcher: Matcher, options: HearOptions = {}): Promise<ChatEvent> {
    return this.#hearing.hears(matcher, options);
  }

  /** The bots' messages as they stand now, without deleted ones. */
  messages(): Promise<readonly ChatMessage[]> {
    return this.#hearing.messages();
  }

  /** Every message with all versions, deleted ones too. */
  async history(): Promise<readonly ChatMessage[]> {
    return (await this.state()).messages;
  }

  /** What the place is: its id, kind, name, who is in it. */
  state(): Promise<ChatHistory> {
    return this.#control.call(readChat, this.#place);
  }

  /** The chat in lines, for people who look for what went wrong. */
  transcript(): Promise<string> {
    return this.#hearing.transcript();
  }
}
