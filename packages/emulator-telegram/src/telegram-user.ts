import type { ChatEvent, ChatMessage } from "./chats/message.ts";
import type { UserSpec } from "./chats/person.ts";
import type { Control, Line } from "./control/control.ts";
import { EmulatorError } from "./ports/error.ts";
import { formatTranscript } from "./records/transcript.ts";

/** The whole text, a pattern in it, or a question about the message. */
export type Matcher = string | RegExp | ((message: ChatEvent) => boolean);

export interface HearOptions {
  /** How long to wait, in real time; 4000 if left out, below the usual limit of a test. */
  readonly timeoutMs?: number;
  /** Whether it is a failure that more than one message of the chat matches by now. */
  readonly once?: boolean;
}

/** Below vitest's 5000, so that the transcript is printed before the test is ended. */
const PATIENCE_MS = 4000;

/** A person in the private chat with one bot. */
export class TelegramUser {
  readonly id: number;
  readonly firstName: string;
  readonly #control: Control;
  /** Names the chat to the control. */
  readonly chat: { readonly userId: number; readonly botId?: number };
  #unheard: ChatEvent[] = [];
  #seenSeq = 0;

  /** By TelegramEmulator.user(). */
  constructor(control: Control, spec: UserSpec, botId: number | undefined) {
    this.id = spec.id;
    this.firstName = spec.firstName;
    this.#control = control;
    this.chat = { userId: spec.id, ...(botId !== undefined && { botId }) };
  }

  /** Writes to the bot; resolves with the message's id. */
  async says(text: string, options: Pick<Line, "entities" | "replyTo"> = {}): Promise<number> {
    const [messageId] = await this.#control.say([{ ...this.chat, text, ...options }]);
    if (messageId === undefined)
      throw new EmulatorError("unreachable", "saying a line: the emulator gave no message id");
    return messageId;
  }

  edits(messageId: number, text: string): Promise<void> {
    return this.#control.editLine({ ...this.chat, messageId, text });
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

  /** Deletes the account, for every bot. */
  deactivates(): Promise<void> {
    return this.#control.act({ ...this.chat, action: "deactivate" });
  }

  /** The bot's messages as they stand in the chat now, without deleted ones. */
  async messages(): Promise<readonly ChatMessage[]> {
    const all = await this.history();
    return all.filter(({ author, isDeleted }) => author === "bot" && !isDeleted);
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
  async hears(matcher: Matcher, { timeoutMs = PATIENCE_MS, once = false }: HearOptions = {}): Promise<ChatEvent> {
    const untilMs = Date.now() + timeoutMs;
    for (;;) {
      const heard = this.#takeUnheard(matcher);
      if (heard !== undefined) {
        if (once) await this.#checkOnce(matcher, heard);
        return heard;
      }
      const waitMs = Math.max(0, untilMs - Date.now());
      const news = await this.#control.awaitChat({ ...this.chat, afterSeq: this.#seenSeq, timeoutMs: waitMs });
      if (news.length === 0)
        throw await this.#complain("not_heard", `did not hear ${formatMatcher(matcher)} in ${timeoutMs} ms`);
      for (const event of news) {
        if (event.seq <= this.#seenSeq) continue;
        this.#seenSeq = event.seq;
        if (event.author === "bot" && event.kind !== "deleted") this.#unheard.push(event);
      }
    }
  }

  /** The chat in lines, for people who look for what went wrong. */
  async transcript(): Promise<string> {
    return formatTranscript(this.firstName, await this.history());
  }

  /** An edit that is heard takes the earlier versions of its message with it. */
  #takeUnheard(matcher: Matcher): ChatEvent | undefined {
    const heard = this.#unheard.find((event) => matches(matcher, event));
    if (heard === undefined) return undefined;
    this.#unheard = this.#unheard.filter(({ messageId, seq }) => messageId !== heard.messageId || seq > heard.seq);
    return heard;
  }

  async #checkOnce(matcher: Matcher, heard: ChatEvent): Promise<void> {
    const copies = (await this.messages()).filter(
      ({ messageId, text, entities, versions }) =>
        messageId !== heard.messageId &&
        matches(matcher, { ...heard, messageId, text, entities, atMs: versions[0]?.atMs ?? heard.atMs }),
    );
    if (copies.length === 0) return;
    throw await this.#complain("heard_twice", `heard ${formatMatcher(matcher)} ${copies.length + 1} times, not once`);
  }

  async #complain(code: "not_heard" | "heard_twice", what: string): Promise<EmulatorError> {
    return new EmulatorError(code, `${this.firstName} ${what}. The chat so far:\n${await this.transcript()}`);
  }

  /** The chat with its bot named, because a list of chats without one is of all bots. */
  async #name(): Promise<{ readonly userId: number; readonly botId: number }> {
    const botId = this.chat.botId ?? (await this.#control.readBot({})).id;
    return { userId: this.id, botId };
  }
}

function matches(matcher: Matcher, event: ChatEvent): boolean {
  if (typeof matcher === "function") return matcher(event);
  return typeof matcher === "string" ? event.text === matcher : event.text.search(matcher) !== -1;
}

function formatMatcher(matcher: Matcher): string {
  if (typeof matcher === "function") return "what the function asks for";
  return typeof matcher === "string" ? JSON.stringify(matcher) : String(matcher);
}
