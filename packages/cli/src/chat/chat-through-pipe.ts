import { randomUUID } from "node:crypto";
import { AnswerLedger } from "./answer-ledger.ts";
import { AskedRuns } from "./asked-runs.ts";
import { fetchRuns } from "./chat-client.ts";
import type { ChatEvent, ChatMessage } from "./chat-event.ts";
import type { ChatGateway } from "./chat-gateway.ts";
import { Conversation } from "./conversation.ts";
import { untilThere } from "./until-there.ts";

/** Messages under way at once: enough for a `/stop` behind a long answer, never a full lane. */
const MOST_UNDER_WAY = 8;

export interface PipeOptions {
  /** One message a line; blank ones are left out. */
  readonly lines: AsyncIterable<string>;
  readonly write: (answer: string) => void;
  /** How long nothing at all may be heard while an answer is owed. */
  readonly patienceMs: number;
}

/**
 * Says each line and writes the answers, in the order of the conversation, without anybody at a keyboard. Resolves when
 * every line has its answer and the sub-agents that were asked for meanwhile are told of; rejects when nothing is heard
 * for too long. What others say there is not written.
 */
export async function chatThroughPipe(gateway: ChatGateway, options: PipeOptions): Promise<void> {
  const pipe = new PipedChat(options);
  const conversation = new Conversation({
    findDoor: () => gateway.findDoor(),
    onEvent: (event) => pipe.hear(event),
  });
  const closing = new AbortController();
  const runs = new AskedRuns({
    look: async () => fetchRuns(await gateway.findDoor(), closing.signal),
    patienceMs: options.patienceMs,
    heardAtMs: () => pipe.heardAtMs,
  });
  try {
    for (const message of await conversation.open()) pipe.remember(message);
    await untilThere(() => runs.begin());
    const owed = pipe.listOwed();
    if (await untilThere(() => gateway.isIdle())) {
      // An answer that arrived just before must not count as an answer to one of these lines.
      await conversation.catchUp();
      pipe.forgetOwed(owed);
    }
    for await (const line of options.lines) {
      if (line.trim() === "") continue;
      await pipe.fewerThan(MOST_UNDER_WAY);
      await conversation.say(pipe.begin(line));
    }
    await pipe.fewerThan(1);
    await runs.untilTold();
    await conversation.catchUp();
  } finally {
    closing.abort();
    await conversation.close();
  }
}

class PipedChat {
  readonly #options: PipeOptions;
  readonly #ledger = new AnswerLedger();
  readonly #own = new Set<string>();
  readonly #underWay = new Set<string>();
  #wake = Promise.withResolvers<void>();
  #heardAtMs = performance.now();

  constructor(options: PipeOptions) {
    this.#options = options;
  }

  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  remember(message: ChatMessage): void {
    this.#ledger.add(message);
  }

  listOwed(): readonly string[] {
    return this.#ledger.listOwed();
  }

  forgetOwed(ids: readonly string[]): void {
    this.#ledger.forgetOwed(ids);
  }

  begin(text: string): { readonly id: string; readonly text: string } {
    const id = randomUUID();
    this.#own.add(id);
    this.#underWay.add(id);
    return { id, text };
  }

  hear(event: ChatEvent): void {
    if (event.type === "message") this.#hearMessage(event.message);
    this.#heardAtMs = performance.now();
    const { resolve } = this.#wake;
    this.#wake = Promise.withResolvers();
    resolve();
  }

  /** Resolves when fewer own messages than that are without an answer. */
  async fewerThan(count: number): Promise<void> {
    while (this.#underWay.size >= count) await this.#hearsSomething();
  }

  #hearMessage(message: ChatMessage): void {
    const { answered, dropped } = this.#ledger.add(message);
    if (dropped !== undefined) this.#underWay.delete(dropped);
    if (message.role === "user") return;
    const isOwn = answered === undefined ? message.kind === "completion" : this.#own.has(answered);
    if (!isOwn) return;
    this.#options.write(message.text);
    if (answered === undefined) return;
    this.#underWay.delete(answered);
    // The text behind /new is a message of its own now.
    const carried = `${answered}+`;
    if (!this.#own.has(carried) && this.#ledger.owes(carried)) {
      this.#own.add(carried);
      this.#underWay.add(carried);
    }
  }

  #hearsSomething(): Promise<void> {
    const { patienceMs } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(silence(patienceMs)), patienceMs);
      this.#wake.promise.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function silence(patienceMs: number): Error {
  return new Error(
    `waiting for an answer: nothing arrived for ${patienceMs / 1_000} s; the message is stored and will be answered, banyan chat shows it; --patience waits longer`,
  );
}
