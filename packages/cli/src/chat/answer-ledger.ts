import type { ChatMessage } from "./chat-event.ts";

interface Owed {
  readonly id: string;
  readonly text: string;
  readonly isCommand: boolean;
}

/** What a message settled: `answered` got it, `dropped` will not get any because its turn was stopped. */
export interface Settled {
  readonly answered?: string;
  readonly dropped?: string;
}

/** Commands that end the running turn. */
const STOPPING = /^\/(?:stop|new|reset)\b/i;
/** Commands whose text goes on as a message of its own, under the command's id and this sign. */
const CARRYING = /^\/(?:new|reset)(?:@\S+)?\s+\S/i;

/**
 * Tells which message an answer answers. The web chat does not say it, but a conversation has an order: turns are
 * answered one after the other, commands beside them. Fed with every message in the order of the conversation.
 */
export class AnswerLedger {
  #owed: Owed[] = [];
  readonly #answeredBy = new Map<string, string>();

  add(message: ChatMessage): Settled {
    if (message.role === "user") {
      const { id, text } = message;
      if (!this.#owed.some((owed) => owed.id === id)) this.#owed.push({ id, text, isCommand: text.startsWith("/") });
      return {};
    }
    const delivery = message.id.replace(/\.\d+$/, "");
    const earlier = this.#answeredBy.get(delivery);
    // A further part of a long answer.
    if (earlier !== undefined) return { answered: earlier };
    const settled = this.#settle(message);
    if (settled.answered !== undefined) this.#answeredBy.set(delivery, settled.answered);
    return settled;
  }

  owes(id: string): boolean {
    return this.#owed.some((owed) => owed.id === id);
  }

  /** The messages that have no answer yet. */
  listOwed(): readonly string[] {
    return this.#owed.map(({ id }) => id);
  }

  /** Called when nothing runs or waits in the gateway: these messages get no answer any more. */
  forgetOwed(ids: readonly string[]): void {
    this.#owed = this.#owed.filter(({ id }) => !ids.includes(id));
  }

  #settle(message: ChatMessage): Settled {
    // A run's end is told unasked.
    if (message.kind === "completion") return {};
    const isCommand = message.kind === "command";
    const owed = this.#owed.find((each) => each.isCommand === isCommand) ?? (isCommand ? undefined : this.#owed[0]);
    if (owed === undefined) return {};
    const dropped = isCommand && STOPPING.test(owed.text) ? this.#findRunningBefore(owed) : undefined;
    this.#owed = this.#owed.filter((each) => each !== owed && each !== dropped);
    if (isCommand && CARRYING.test(owed.text)) {
      this.#owed.push({ id: `${owed.id}+`, text: owed.text, isCommand: false });
    }
    return { answered: owed.id, ...(dropped === undefined ? {} : { dropped: dropped.id }) };
  }

  /** The first message that waits is the one whose turn runs. */
  #findRunningBefore(command: Owed): Owed | undefined {
    return this.#owed.slice(0, this.#owed.indexOf(command)).find((each) => !each.isCommand);
  }
}
