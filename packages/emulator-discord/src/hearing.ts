import { EmulatorError } from "./ports/error.ts";
import { formatTranscript } from "./records/transcript.ts";
import { type ChatEvent, type ChatMessage, isWritten } from "./world/message-log.ts";

/** The whole text, a pattern in it, or a question about the message. */
export type Matcher = string | RegExp | ((event: ChatEvent) => boolean);

export interface HearOptions {
  /** How long to wait, in real time; 4000 if left out, below the usual limit of a test. */
  readonly timeoutMs?: number;
  /** Whether it is a failure that more than one message of the chat matches by now. */
  readonly once?: boolean;
}

/** The chat that is listened to. */
export interface HearingSource {
  /** Who listens, for complaints. */
  readonly name: string;
  awaitEvents(afterSeq: number, timeoutMs: number): Promise<readonly ChatEvent[]>;
  readHistory(): Promise<readonly ChatMessage[]>;
}

/** Below vitest's 5000, so that the transcript is printed before the test is ended. */
const PATIENCE_MS = 4000;

/** What one person has heard of the bots in one chat, and waits to hear. */
export class Hearing {
  readonly #source: HearingSource;
  #unheard: ChatEvent[] = [];
  #seenSeq = 0;

  constructor(source: HearingSource) {
    this.#source = source;
  }

  /** As DiscordChat.hears. */
  async hears(matcher: Matcher, { timeoutMs = PATIENCE_MS, once = false }: HearOptions = {}): Promise<ChatEvent> {
    const untilMs = Date.now() + timeoutMs;
    for (;;) {
      const heard = this.#takeUnheard(matcher);
      if (heard !== undefined) {
        if (once) await this.#checkOnce(matcher, heard);
        return heard;
      }
      const waitMs = Math.max(0, untilMs - Date.now());
      const news = await this.#source.awaitEvents(this.#seenSeq, waitMs);
      if (news.length === 0)
        throw await this.#complain("not_heard", `did not hear ${formatMatcher(matcher)} in ${timeoutMs} ms`);
      for (const event of news) {
        if (event.seq <= this.#seenSeq) continue;
        this.#seenSeq = event.seq;
        if (event.isBot && event.kind !== "deleted" && isWritten(event.message)) this.#unheard.push(event);
      }
    }
  }

  /** The bots' messages as they stand in the chat now, without deleted ones. */
  async messages(): Promise<readonly ChatMessage[]> {
    const all = await this.#source.readHistory();
    return all.filter(({ isBot, isDeleted, message }) => isBot && !isDeleted && isWritten(message));
  }

  async transcript(): Promise<string> {
    return formatTranscript(await this.#source.readHistory());
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
      ({ messageId, text, message }) =>
        messageId !== heard.messageId && matches(matcher, { ...heard, messageId, text, message }),
    );
    if (copies.length === 0) return;
    throw await this.#complain("heard_twice", `heard ${formatMatcher(matcher)} ${copies.length + 1} times, not once`);
  }

  async #complain(code: "not_heard" | "heard_twice", what: string): Promise<EmulatorError> {
    return new EmulatorError(code, `${this.#source.name} ${what}. The chat so far:\n${await this.transcript()}`);
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
