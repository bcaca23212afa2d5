import { PATIENCE_MS } from "./patience.ts";

/** The whole text, a pattern in it, or a question about the message. */
export type Matcher<Event> = string | RegExp | ((event: Event) => boolean);

export interface HearOptions {
  /** How long to wait, in real time; `PATIENCE_MS` if left out. */
  readonly timeoutMs?: number;
  /** Whether it is a failure that more than one message of the chat matches by now. */
  readonly once?: boolean;
}

/** The part of what happened in a chat that hearing looks at; `seq` grows within the chat. */
export interface HeardEvent {
  readonly seq: number;
  readonly kind: "sent" | "edited" | "deleted";
  /** The message's; a number or a string, as the platform has it. */
  readonly messageId: unknown;
  readonly text: string;
}

/** The chat that is listened to. */
export interface HearingSource<Event, Message> {
  /** Who listens, for complaints. */
  readonly name: string;
  awaitEvents(afterSeq: number, timeoutMs: number): Promise<readonly Event[]>;
  readHistory(): Promise<readonly Message[]>;
}

/** What differs between platforms. */
export interface HearingRules<Event, Message> {
  /** Whether a bot wrote it. */
  readonly isOfBot: (said: Event | Message) => boolean;
  /** The message as it stands, in place of the one that was heard. */
  readonly toEvent: (message: Message, heard: Event) => Event;
  readonly formatTranscript: (messages: readonly Message[]) => string;
  readonly fail: (code: "not_heard" | "heard_twice", text: string) => Error;
}

/** What one person has heard of the bots in one chat, and waits to hear. */
export class Hearing<Event extends HeardEvent, Message extends { readonly isDeleted: boolean }> {
  readonly #source: HearingSource<Event, Message>;
  readonly #rules: HearingRules<Event, Message>;
  #unheard: Event[] = [];
  #seenSeq = 0;

  constructor(source: HearingSource<Event, Message>, rules: HearingRules<Event, Message>) {
    this.#source = source;
    this.#rules = rules;
  }

  /**
   * Resolves with the first thing a bot wrote or edited that matches and that this object has not heard yet, now or as soon
   * as it comes. What it passes over may be heard later.
   */
  async hears(matcher: Matcher<Event>, { timeoutMs = PATIENCE_MS, once = false }: HearOptions = {}): Promise<Event> {
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
        throw await this.#complain("not_heard", `did not receive ${formatMatcher(matcher)} in ${timeoutMs} ms`);
      for (const event of news) {
        if (event.seq <= this.#seenSeq) continue;
        this.#seenSeq = event.seq;
        if (event.kind !== "deleted" && this.#rules.isOfBot(event)) this.#unheard.push(event);
      }
    }
  }

  /** The bots' messages as they stand in the chat now, without deleted ones. */
  async messages(): Promise<readonly Message[]> {
    const all = await this.#source.readHistory();
    return all.filter((message) => !message.isDeleted && this.#rules.isOfBot(message));
  }

  async transcript(): Promise<string> {
    return this.#rules.formatTranscript(await this.#source.readHistory());
  }

  /** An edit that is heard takes the earlier versions of its message with it. */
  #takeUnheard(matcher: Matcher<Event>): Event | undefined {
    const heard = this.#unheard.find((event) => matches(matcher, event));
    if (heard === undefined) return undefined;
    this.#unheard = this.#unheard.filter(({ messageId, seq }) => messageId !== heard.messageId || seq > heard.seq);
    return heard;
  }

  async #checkOnce(matcher: Matcher<Event>, heard: Event): Promise<void> {
    const standing = (await this.messages()).map((message) => this.#rules.toEvent(message, heard));
    const copies = standing.filter((event) => event.messageId !== heard.messageId && matches(matcher, event));
    if (copies.length === 0) return;
    throw await this.#complain(
      "heard_twice",
      `received ${formatMatcher(matcher)} ${copies.length + 1} times, not once`,
    );
  }

  async #complain(code: "not_heard" | "heard_twice", what: string): Promise<Error> {
    return this.#rules.fail(code, `${this.#source.name} ${what}. The chat so far:\n${await this.transcript()}`);
  }
}

function matches<Event extends HeardEvent>(matcher: Matcher<Event>, event: Event): boolean {
  if (typeof matcher === "function") return matcher(event);
  return typeof matcher === "string" ? event.text === matcher : event.text.search(matcher) !== -1;
}

function formatMatcher(matcher: Matcher<never>): string {
  if (typeof matcher === "function") return "what the function asks for";
  return typeof matcher === "string" ? JSON.stringify(matcher) : String(matcher);
}
