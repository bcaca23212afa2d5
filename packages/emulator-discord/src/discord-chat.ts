import { awaitChat, type ChatHistory, react, readChat } from "./control/chat-operations.ts";
import type { OptionValue } from "./control/command-choice.ts";
import { press, useCommand } from "./control/interaction-operations.ts";
import {
  deleteLine,
  editLine,
  type Line,
  type LineOptions,
  notice,
  type Preview,
  say,
  unfurl,
} from "./control/line-operations.ts";
import type { Control } from "./control/operation.ts";
import type { Place } from "./control/place.ts";
import { DiscordInteraction } from "./discord-interaction.ts";
import { Hearing, type HearOptions, type Matcher } from "./hearing.ts";
import { EmulatorError } from "./ports/error.ts";
import type { InteractionAck } from "./world/interaction.ts";
import type { ChatEvent, ChatMessage } from "./world/message-log.ts";

/** A person in one DM, channel or thread. */
export class DiscordChat {
  readonly #control: Control;
  readonly #place: Place;
  readonly #username: string;
  readonly #hearing: Hearing;

  /** By DiscordUser.dm() or DiscordUser.in(). */
  constructor(control: Control, username: string, place: Place) {
    this.#control = control;
    this.#place = place;
    this.#username = username;
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

  /** Makes Discord write of what the person did: type 7 for joining, 6 for a pin (D54). */
  causes(type: number): Promise<string> {
    return this.#control.call(notice, { ...this.#place, type });
  }

  /** Discord finds a preview for a link in a message, and tells of it (D57). */
  unfurls(messageId: string, embed: Preview): Promise<void> {
    return this.#control.call(unfurl, { ...this.#place, messageId, embed });
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

  /** Uses a command of a bot, which need not be named where there is only one. */
  async uses(
    command: string,
    options: Readonly<Record<string, OptionValue>> = {},
    subcommand?: string,
    botId?: string,
  ): Promise<DiscordInteraction> {
    const bot = botId === undefined ? {} : { botId };
    const sub = subcommand === undefined ? {} : { subcommand };
    const id = await this.#control.call(useCommand, { ...this.#place, ...bot, command, options, ...sub });
    return new DiscordInteraction(this.#control, this.#username, id);
  }

  /** Presses a button, or chooses values of a select menu. */
  async presses(messageId: string, customId: string, values?: readonly string[]): Promise<DiscordInteraction> {
    const chosen = values === undefined ? {} : { values };
    const id = await this.#control.call(press, { ...this.#place, messageId, customId, ...chosen });
    return new DiscordInteraction(this.#control, this.#username, id);
  }

  /** Types a part of an option's value; resolves with what the bot offers. `command` may be "command subcommand". */
  async completes(
    command: string,
    option: string,
    partial: string,
    options: Readonly<Record<string, OptionValue>> = {},
  ): Promise<InteractionAck["choices"]> {
    const [name = "", ...path] = command.split(" ");
    const sub = path.length === 0 ? {} : { subcommand: path.join(" ") };
    const use = { command: name, ...sub, focused: option, options: { ...options, [option]: partial } };
    const id = await this.#control.call(useCommand, { ...this.#place, ...use });
    return (await new DiscordInteraction(this.#control, this.#username, id).acknowledged()).choices;
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
